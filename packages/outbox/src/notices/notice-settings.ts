import { isEmailAddress, type SettingsRule } from '@chancela/service-kernel/config'
import Type, { type Static } from 'typebox'
import type { MailSettings } from '../mail/index.ts'

const Address = Type.Refine(
  Type.String({ accepts: 'an e-mail address without a name' }),
  isEmailAddress,
  () => 'must be an e-mail address',
)

/** Settings of notices to operators: the section `Notices` of a service. Nobody is told unless named here. */
export const noticeSettings = Type.Object({
  Recipients: Type.Array(Address, {
    default: [],
    maxItems: 50,
    description: 'Addresses that are told of red checks of readiness by mail; takes `Email:Enabled`.',
  }),
  Language: Type.Enum(['pt-BR', 'en-US'], { default: 'pt-BR', description: 'Language of these mails.' }),
  WebhookUrl: Type.Optional(
    Type.String({
      pattern: '^https?://.+$',
      accepts: 'an absolute http or https URL',
      description: 'Who is told by a POST of the same, signed by the scheme of Standard Webhooks.',
    }),
  ),
  WebhookSecret: Type.Optional(
    Type.String({
      secret: true,
      pattern: '^whsec_[A-Za-z0-9+/]{32,86}={0,2}$',
      accepts: '`whsec_` and the base64 of 24 to 64 bytes',
      description: 'Key of that signature; must be given with the URL.',
    }),
  ),
  AfterMinutes: Type.Integer({
    minimum: 0,
    maximum: 1440,
    default: 2,
    description: 'Minutes a check is red before it is told, and green again before its end is.',
  }),
})

export type NoticeSettings = Static<typeof noticeSettings>

/** The webhook of notices alone: for a section that has more than this one. */
export const noticeWebhookRules: readonly SettingsRule<{
  readonly Notices: Pick<NoticeSettings, 'WebhookUrl' | 'WebhookSecret'>
}>[] = [
  ({ Notices: { WebhookUrl, WebhookSecret } }) =>
    (WebhookUrl === undefined) !== (WebhookSecret === undefined)
      ? [{ key: 'Notices:WebhookSecret', sentence: 'is given with Notices:WebhookUrl, or neither is.' }]
      : [],
]

/** Rules over several settings of the section; for the rules of the service. */
export const noticeRules: readonly SettingsRule<{
  readonly Notices: NoticeSettings
  readonly Email: Pick<MailSettings, 'Enabled'>
}>[] = [
  ({ Notices, Email }) =>
    Notices.Recipients.length > 0 && !Email.Enabled
      ? [{ key: 'Notices:Recipients', sentence: 'are told by mail, which takes Email:Enabled.' }]
      : [],
  ...noticeWebhookRules,
]
