import { expect, test } from 'vitest'
import { filtersFromSearch, listQuery } from './document-filters.ts'

const asked = (filters: Parameters<typeof listQuery>[0]) => Object.fromEntries(listQuery(filters))

test('filters survive in the address, and what the page does not know is dropped', () => {
  const search = { folder: 'f', status: 'Pending', q: 'x', by: 'Key', participant: 'ana', page: '3', other: 'y' }
  expect(filtersFromSearch(search)).toEqual({
    folder: 'f',
    status: 'Pending',
    q: 'x',
    by: 'Key',
    participant: 'ana',
    page: 3,
  })
  expect(filtersFromSearch({ status: 'Lost', page: '-1', q: '' })).toEqual({})
})

test('one document more than a page holds is asked for, from where the page begins', () => {
  expect(asked({})).toEqual({ limit: '21', offset: '0' })
  expect(asked({ page: 3 })).toMatchObject({ limit: '21', offset: '40' })
})

test('documents outside any folder are asked for by the type of the folder', () => {
  expect(asked({ folder: 'none' })).toMatchObject({ folderType: 'WithoutFolder' })
  expect(asked({ folder: 'a1' })).toMatchObject({ folderId: 'a1' })
})

test.each([
  ['ana@example.com', 'Email'],
  ['529.982.247-25', 'Identifier'],
  ['Ana Souza', 'Name'],
])('a participant %s is looked for by %s', (participant, participantQueryType) => {
  expect(asked({ participant })).toMatchObject({ participantQ: participant, participantQueryType })
})
