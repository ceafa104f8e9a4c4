/** Being signed right now: can be neither canceled nor deleted. */
export const isInFlight = (status: string): boolean => status === 'Processing' || status === 'Verifying'

/** Waiting, so that an operator may cancel it. */
export const isCancelable = (status: string): boolean =>
  status === 'Queued' || status === 'AwaitingApproval' || status === 'AwaitingSigner'
