import { acting, commonEventParts, commonEventTexts } from '@chancela/admin-console'
import { ownEventParts, ownEventTexts } from '../../rules/event-texts.ts'

/** Entries of the event log, and how they are told. */
export const { act, said, eventText } = acting(
  { ...commonEventTexts, ...ownEventTexts },
  { ...commonEventParts, ...ownEventParts },
)
