import { expect, test } from 'vitest'
import type { Folder, FolderField } from '../api/types.ts'
import { draftOf, typedOf } from './folder-draft.ts'

const fields: FolderField[] = [
  { name: 'path', kind: 'text', required: true },
  { name: 'pollIntervalSeconds', kind: 'number', required: false },
  { name: 'ignoredExtensions', kind: 'list', required: false },
]

const folder = {
  name: 'bank',
  profileName: 'more',
  options: { path: '/srv/bank', pollIntervalSeconds: 5, ignoredExtensions: ['.a', '.b'] },
} as unknown as Folder

test('a folder that is opened and saved unchanged is sent as it was', () => {
  expect(draftOf(typedOf(folder), fields)).toEqual({
    name: 'bank',
    profile: 'more',
    create: false,
    options: folder.options,
  })
})

test('empty fields are left out, lists are split, and what is no number is sent as typed', () => {
  const options = { path: ' /srv/x ', pollIntervalSeconds: 'soon', ignoredExtensions: '.tmp, .bak  .x' }
  expect(draftOf({ ...typedOf(undefined), name: ' x ', options }, fields)).toEqual({
    name: 'x',
    profile: null,
    create: false,
    options: { path: '/srv/x', pollIntervalSeconds: 'soon', ignoredExtensions: ['.tmp', '.bak', '.x'] },
  })
  expect(draftOf({ ...typedOf(undefined), options: { path: '' } }, fields).options).toEqual({})
})
