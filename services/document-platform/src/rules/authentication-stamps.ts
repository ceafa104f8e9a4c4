import type { ActionOptions } from './flow-plan.ts'

export type PlacedMark = NonNullable<ActionOptions['prePositionedMarks']>[number]

/** A mark of the document and not of a signer: the verification code, drawn before anybody signs. */
const isStamp = ({ type }: PlacedMark): boolean => type === 'AuthenticationStamp'

export const authenticationStamps = ({ prePositionedMarks }: ActionOptions): readonly PlacedMark[] =>
  (prePositionedMarks ?? []).filter(isStamp)

/** The marks of whoever signs: those of the signature, and initials. */
export const signersMarks = ({ prePositionedMarks }: ActionOptions): readonly PlacedMark[] =>
  (prePositionedMarks ?? []).filter((mark) => !isStamp(mark))

/** Whether an edit of the marks asks for other stamps than are drawn already. */
export const changesStamps = (before: ActionOptions, edit: ActionOptions): boolean =>
  authenticationStamps(edit).length > 0 &&
  JSON.stringify(authenticationStamps(edit)) !== JSON.stringify(authenticationStamps(before))
