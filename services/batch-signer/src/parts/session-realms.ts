// What cookies are sealed for: after a change of it none from before opens, and none of them is listed.
import { createHash } from 'node:crypto'
import type { SessionHolder } from '../rules/session-holder.ts'
import type { BatchSignerSettings } from '../settings.ts'

type Realm = Pick<SessionHolder, 'kind' | 'way' | 'realm'>
type Idp = NonNullable<BatchSignerSettings['Auth']['Idp']>
type RealmSettings = Pick<BatchSignerSettings, 'Auth' | 'ApproverPortal'>

export const keyRealm = (apiKey: string): Realm => ({ kind: 'operator', way: 'key', realm: digestOf(apiKey) })

export const linkRealm = (linkSecret: string): Realm => ({
  kind: 'approver',
  way: 'link',
  realm: digestOf(linkSecret),
})

/** Another provider, client or claim of roles ends every session. */
export const idpRealm = ({ Issuer, ClientId, RolesClaim }: Idp): string =>
  digestOf(JSON.stringify([Issuer, ClientId, RolesClaim]))

/** Whether the cookie of such a session would be accepted now. */
export function opensNow({ Auth, ApproverPortal }: RealmSettings): (holder: Realm) => boolean {
  const realms = {
    // With an identity provider no key signs in.
    key: Auth.Idp || Auth.ApiKey === '' ? undefined : keyRealm(Auth.ApiKey).realm,
    'identity-provider': Auth.Idp && idpRealm(Auth.Idp),
    link: ApproverPortal.Enabled ? linkRealm(ApproverPortal.LinkSecret).realm : undefined,
  }
  return ({ way, realm }) => realms[way] === realm
}

const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')
