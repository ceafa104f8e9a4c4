import { expect, test } from 'vitest'
import type { Webhook } from '../api/types.ts'
import { asChange, draftOf, keepsToken, newWebhook } from './webhook-draft.ts'

const stored: Webhook = {
  id: 'c0ffee00-0000-4000-8000-000000000001',
  url: 'https://receiver.example/events',
  authType: 'Bearer',
  hasToken: true,
  eventTypes: ['DocumentSigned'],
  folderIds: ['c0ffee00-0000-4000-8000-000000000002'],
  ordered: true,
  state: 'enabled',
  stateReason: null,
  stateReasonMessages: null,
  failingSince: null,
  failures: 0,
  nextAttemptAfter: null,
  creationDate: '2026-01-02T03:04:05.000Z',
  updateDate: '2026-01-02T03:04:05.000Z',
}

test('a webhook without authentication sends no token, whatever was typed before', () => {
  expect(asChange({ ...newWebhook, url: ' https://a.example ', token: 'left over' })).toEqual({
    url: 'https://a.example',
    authType: 'NoAuth',
    token: null,
    eventTypes: [],
    folderIds: null,
    ordered: false,
  })
})

test('the token is sent exactly as it was typed', () => {
  const draft = { ...newWebhook, url: 'https://a.example', authType: 'ApiKey' as const, token: ' with spaces ' }
  expect(asChange(draft).token).toBe(' with spaces ')
})

test('a changed webhook keeps the folders, which the form does not show', () => {
  const change = asChange({ ...draftOf(stored), token: 'again' })
  expect(change).toMatchObject({ folderIds: stored.folderIds, eventTypes: ['DocumentSigned'], ordered: true })
})

test('a stored token never comes into the form, and stays where none is given', () => {
  expect(draftOf(stored).token).toBe('')
  expect(asChange(draftOf(stored)).token).toBeNull()
})

test('a token need not be given again while its type stays', () => {
  expect(keepsToken(draftOf(stored), stored)).toBe(true)
  expect(keepsToken({ ...draftOf(stored), authType: 'Basic' }, stored)).toBe(false)
  expect(keepsToken({ ...newWebhook, authType: 'Bearer' }, undefined)).toBe(false)
  expect(keepsToken(newWebhook, { ...stored, authType: 'NoAuth', hasToken: false })).toBe(false)
})

test('with no event chosen all events are sent', () => {
  expect(asChange({ ...draftOf(stored), eventTypes: [] }).eventTypes).toEqual([])
  expect(asChange({ ...draftOf(stored), eventTypes: ['DocumentRefused'] }).eventTypes).toEqual(['DocumentRefused'])
})
