// Marks that were placed in a session, given back to the actions they were placed for.
import type { Static } from 'typebox'
import type { SessionAction as Schema, saveMarks } from '../contract/flows.ts'
import type { RequestedPerson } from './flow-plan.ts'
import { actionKinds } from './vocabulary.ts'

export type SessionAction = Static<typeof Schema>
export type SessionMark = Static<typeof saveMarks.body>['data'][number]

/** The people of an action. */
export const peopleOf = ({ type, user, ruleUsers, signRuleUsers }: SessionAction): readonly RequestedPerson[] =>
  actionKinds[type].isRule ? (ruleUsers ?? signRuleUsers ?? []) : user ? [user] : []

/** What a person is called on the page of a session. */
export const shownName = ({ name, email, identifier }: RequestedPerson, { title, type }: SessionAction): string =>
  name || email || identifier || title || type

/** Marks the actions brought along, as they are shown on the page; nothing when there are none. */
export function broughtMarks(actions: readonly SessionAction[]): readonly SessionMark[] | null {
  const marks = actions.flatMap((action) => {
    const [person] = peopleOf(action)
    const whose = { flowActionId: action.id ?? null, participant: person ? shownName(person, action) : null }
    return (action.prePositionedMarks ?? []).map((mark) => ({ ...whose, ...mark }))
  })
  return marks.length > 0 ? marks : null
}

/** The actions with the marks that were placed for them; those of nobody in particular go to who signs first. */
export const withMarks = (
  actions: readonly SessionAction[],
  marks: readonly SessionMark[],
): readonly SessionAction[] => {
  const owners = marks.map((mark) => ownerOf(actions, mark))
  return actions.map((action, index) => ({
    ...action,
    prePositionedMarks: marks.filter((_, at) => owners[at] === index).map(plain),
  }))
}

function ownerOf(actions: readonly SessionAction[], { flowActionId, participant }: SessionMark): number {
  const byId = actions.findIndex(({ id }) => id && id === flowActionId)
  const byName = actions.findIndex((each) => peopleOf(each).some((person) => shownName(person, each) === participant))
  const signs = actions.findIndex(({ type }) => actionKinds[type].signs)
  return [byId, byName, signs].find((index) => index >= 0) ?? 0
}

const plain = ({ flowActionId: _, participant: __, ...mark }: SessionMark) => mark
