import type { Notices } from './notices.ts'

const nothing = async (): Promise<void> => {}

/** Notifications of an instance that sends no e-mail: they do nothing. */
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
  invitation: nothing,
  passwordReset: nothing,
  webhookDisabled: nothing,
}
