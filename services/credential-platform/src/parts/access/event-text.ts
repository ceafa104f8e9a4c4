// What happened, in the language of whoever reads it.
import { acting, commonEventParts, commonEventTexts } from '@chancela/admin-console'
import type { EventText } from '@chancela/service-kernel/events'
import { eventSentence } from '../../rules/event-texts.ts'

/** Of accounts and sessions, which are those of every console. */
const { eventText: consoleEventText } = acting(commonEventTexts, commonEventParts)

export const platformEventText: EventText = (language, event) =>
  event.data?.subscriptionId === undefined ? consoleEventText(language, event) : eventSentence(language, event.type)
