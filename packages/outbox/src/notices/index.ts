// Notices to operators: red checks of readiness, by mail and webhook.
export { describeCauses } from './causes.ts'
export { type NoticeSettings, noticeRules, noticeSettings, noticeWebhookRules } from './notice-settings.ts'
export { watchReadiness } from './notices.ts'
