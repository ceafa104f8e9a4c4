import { StartupProblem } from '@chancela/service-kernel/errors'

/** A moment as a person writes it on the command line. */
export function momentOf(text: string, option: string): Date {
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime()))
    throw new StartupProblem(`${option} takes an ISO 8601 time such as 2027-01-31T12:00:00Z, not ${text}.`)
  return moment
}
