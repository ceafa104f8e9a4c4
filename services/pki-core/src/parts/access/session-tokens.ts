// Who has the address of a session's page: its token is all that is needed (spec 1 C, Authentication).
import type { IncomingMessage } from 'node:http'
import type { AccessScheme } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { refuse } from '../../rules/refuse.ts'
import { idOf } from '../../store/authentications.ts'
import type { SessionRow } from '../../store/session-tables.ts'
import { sessionByToken } from '../../store/sessions.ts'

const HEADER = 'x-signature-session-token'

/** 32 bytes in base64url; anything else is no token, whatever characters it has. */
const TOKEN = /^[\w-]{43}$/

/** The token of a call; undefined where there is none. */
export const presentedToken = ({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined =>
  [headers[HEADER]].flat()[0]?.trim() || undefined

export const sessionTokens = ({ store, clock }: Pick<Context, 'store' | 'clock'>): AccessScheme<SessionRow> => ({
  security: { 'X-Signature-Session-Token': { type: 'apiKey', in: 'header', name: 'X-Signature-Session-Token' } },
  credentialOf: ({ id }) => id,
  async authenticate(request) {
    const token = presentedToken(request)
    if (!token) throw refuse('SignatureSessionTokenRequired')
    const row = TOKEN.test(token) ? await sessionByToken(store.db, idOf(token)) : undefined
    if (!row) throw refuse('BadSignatureSessionToken')
    if (row.expires_at <= clock().toISOString()) throw refuse('ExpiredSignatureSessionToken')
    return row
  },
})
