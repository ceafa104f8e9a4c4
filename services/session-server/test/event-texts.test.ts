import { commonEventParts, commonEventTexts } from '@chancela/admin-console'
import { sentenceProblems } from '@chancela/testkit/console'
import { expect, test } from 'vitest'
import { eventTypes } from '../src/contract/console-events.ts'
import { act, eventText } from '../src/parts/console/audit.ts'
import { ownEventParts, ownEventTexts } from '../src/rules/event-texts.ts'

test('every event is told in both languages, with all of its facts', () => {
  const texts = { ...commonEventTexts, ...ownEventTexts }
  const parts = { ...commonEventParts, ...ownEventParts }
  expect(sentenceProblems({ types: eventTypes, texts, parts, act, eventText })).toEqual([])
})
