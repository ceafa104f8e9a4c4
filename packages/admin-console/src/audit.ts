import type { EventActor, EventChanges, EventText, NewEvent } from '@chancela/service-kernel/events'
import { type FactsOf, SentenceBook, type SentenceTable } from '@chancela/service-kernel/i18n'
import type { ConsoleCaller } from './caller.ts'
import { commonEventParts, commonEventTexts } from './event-texts.ts'

/** The actor where nobody signed in: an operator on the machine itself. */
export const OPERATOR = 'operator'

/** Whoever is signed in, as events name them. */
export const actorOf = ({ email, address }: Pick<ConsoleCaller, 'email' | 'address'>): EventActor => ({
  name: email,
  address,
})

/** What a service needs to record events, and to tell them. */
export interface Acting<Texts extends SentenceTable, Parts extends SentenceTable> {
  /** Builds the record of who did what, as the event log takes it: the sentence is the one of its type, with these facts. */
  act<Type extends keyof Texts & string>(
    type: Type,
    actor: EventActor,
    subject: readonly [kind: string, id: string] | undefined,
    facts: FactsOf<Texts, Type>,
    changes?: EventChanges,
  ): NewEvent
  /** A part of a sentence, where it is a fact of another. */
  readonly said: SentenceBook<Parts>['said']
  /** The sentence of an event in a language. */
  readonly eventText: EventText
}

/** For the events of a service: a sentence for each type, and parts of them. */
export function acting<Texts extends SentenceTable, Parts extends SentenceTable>(
  texts: Texts,
  parts: Parts,
): Acting<Texts, Parts> {
  const book = new SentenceBook<SentenceTable>({ ...texts, ...parts })
  const said = new SentenceBook(parts)
  return {
    act: (type, actor, subject, facts, changes) => ({
      type,
      actor,
      ...(subject && { subject: { kind: subject[0], id: subject[1] } }),
      // The signature has seen that these are the facts of this type.
      ...book.telling(book.said(type, facts as never)),
      changes,
    }),
    said: (key, ...facts) => said.said(key, ...facts),
    eventText: (language, event) => book.eventIn(language, event),
  }
}

/** For the events that every console records. */
export const { act, said } = acting(commonEventTexts, commonEventParts)
