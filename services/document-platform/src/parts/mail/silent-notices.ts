import type { Notices } from './notices.ts'

const nothing = async (): Promise<void> => {}

/** Nobody is told: the instance sends no e-mail. */
export const silentNotices: Notices = {
  enabled: false,
  pending: nothing,
  reminder: nothing,
  refused: nothing,
  concluded: nothing,
  canceled: nothing,
  expired: nothing,
  code: nothing,
  summary: nothing,
  webhookDisabled: nothing,
}
