// Notices to operators: red checks of readiness, by mail and webhook, and on the pages of a console.
export { describeCauses } from './causes.ts'
export { type NoticeSettings, noticeRules, noticeSettings, noticeWebhookRules } from './notice-settings.ts'
export { watchReadiness } from './notices.ts'
export { noticesOf } from './shown-notices.ts'
