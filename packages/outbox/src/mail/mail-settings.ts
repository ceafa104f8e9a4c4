import type { SettingsRule } from '@chancela/service-kernel/config'
import { isEmailAddress } from '@chancela/service-kernel/config'
import Type, { type Static } from 'typebox'
import { LONGEST_SCHEDULE } from './mail-schedule.ts'

const Address = (description: string) =>
  Type.Refine(
    Type.String({ accepts: 'an e-mail address without a name', description }),
    isEmailAddress,
    () => 'must be an e-mail address',
  )

/** Settings of outgoing mail: the section `Email` of a service that sends mails. */
export const mailSettings = Type.Object({
  Enabled: Type.Boolean({ default: false, description: 'Whether e-mails are written and sent.' }),
  Host: Type.String({ minLength: 1, default: 'localhost', description: 'Name or address of the SMTP server.' }),
  Port: Type.Integer({
    minimum: 1,
    maximum: 65_535,
    default: 587,
    description: 'TCP port of the SMTP server: 587 or 25 with StartTls, 465 with Tls.',
  }),
  Security: Type.Enum(['None', 'StartTls', 'Tls'], {
    default: 'StartTls',
    description:
      'How the connection is encrypted. StartTls and Tls send nothing to a server that does not offer it or whose certificate is not trusted; None is for a server on this machine.',
  }),
  TrustedCertificatesFile: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'PEM file with the authorities that vouch for the SMTP server, instead of the well-known ones.',
    }),
  ),
  Username: Type.Optional(
    Type.String({ minLength: 1, description: 'Account at the SMTP server, if it asks for one.' }),
  ),
  Password: Type.Optional(Type.String({ secret: true, minLength: 1, description: 'Password of that account.' })),
  From: Type.Optional(Address('Address the mails come from; must be given while they are enabled.')),
  FromName: Type.String({ minLength: 1, default: 'Chancela', description: 'Name shown beside that address.' }),
  ReplyTo: Type.Optional(Address('Address that answers go to, if not the one they come from.')),
  MaxAttempts: Type.Integer({
    minimum: 1,
    maximum: LONGEST_SCHEDULE,
    default: LONGEST_SCHEDULE,
    description: 'Attempts to hand a mail over, at growing intervals, before it is given up.',
  }),
  PerMinute: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100_000, description: 'Mails a minute at most, per instance of the service.' }),
  ),
  Connections: Type.Integer({
    minimum: 1,
    maximum: 32,
    default: 3,
    description: 'Connections to the SMTP server at most; they are kept and used again.',
  }),
  TimeoutSeconds: Type.Integer({
    minimum: 1,
    maximum: 600,
    default: 30,
    description: 'Seconds the SMTP server may stay silent before the attempt is given up.',
  }),
})

export type MailSettings = Static<typeof mailSettings>

/** Rules over several settings of the section; for the rules of the service. */
export const mailRules: readonly SettingsRule<{ readonly Email: MailSettings }>[] = [
  ({ Email: { Enabled, From } }) =>
    Enabled && From === undefined ? [{ key: 'Email:From', sentence: 'must be given while e-mails are enabled.' }] : [],
  ({ Email: { Username, Password } }) =>
    (Username === undefined) !== (Password === undefined)
      ? [{ key: 'Email:Password', sentence: 'is given with Email:Username, or neither is.' }]
      : [],
]
