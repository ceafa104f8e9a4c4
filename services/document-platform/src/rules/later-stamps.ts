import type { FlowStep } from '../store/tables.ts'
import { signersMarks } from './authentication-stamps.ts'
import type { ActionOptions } from './flow-plan.ts'
import { actionKinds } from './vocabulary.ts'

/**
 * Whether somebody who signs after this participant may put more onto a PDF than the mark of the signature itself. That
 * mark is the picture of a signature field, which every rule for later changes allows; each further one is an annotation.
 */
export const mayBeStampedLater = (steps: readonly FlowStep[], own: FlowStep): boolean =>
  steps.some((step) => signersLeft(step, own) > 0 && mayStamp(JSON.parse(step.action.options) as ActionOptions))

/** Signatures the step still asks for once its participant has signed. */
const signersLeft = ({ action }: FlowStep, own: FlowStep): number =>
  actionKinds[action.type].signs ? action.required - (action.id === own.action.id ? 1 : 0) : 0

/** Several marks, initials, or a free choice of them: who signs electronically places as many as wanted. */
function mayStamp(options: ActionOptions): boolean {
  const marks = signersMarks(options)
  return (
    marks.length > 1 ||
    // The signature's own mark may come beside it.
    marks.some(({ type }) => type === 'SignatureInitials') ||
    (options.signatureInitialsMode ?? 'None') !== 'None' ||
    options.allowElectronicSignature === true
  )
}
