// The server's own tokens: software tokens whose module the service loads in processes of its own.
import { readFileSync, readlinkSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { IssuedCertificate } from '@chancela/testkit/demo-pki'
import { newSoftToken, type SoftToken } from '@chancela/testkit/soft-token'
import { onTestFinished, vi } from 'vitest'
import { running } from './pki.ts'
import { type Database, type SessionWorld, type SettingsFile, startSessionServer } from './session-world.ts'
import type { SignatureService } from './signature-service.ts'
import { lookNow, newCpf } from './vault.ts'
import { TOKEN_PIN } from './workstation.ts'

/** A person whose key is like that of a holder of the PKI. */
async function newKeyHolder(keyOf: string): Promise<KeyHolder> {
  const cpf = newCpf()
  const issued = await running.pki.issueHolder(
    `server-token-${cpf}`,
    { kind: 'person', name: `Guardado ${cpf}`, cpf, born: '1980-01-01', email: 'guardado@example.com' },
    {},
    running.pki.certificate(keyOf).key,
  )
  return { cpf, issued }
}

interface KeyHolder {
  readonly cpf: string
  readonly issued: IssuedCertificate
}

export interface ServerTokenWorld {
  readonly label: string
  readonly token: SoftToken
  readonly holders: readonly [KeyHolder, ...KeyHolder[]]
}

/** A token in the server; `keys` are those of holders of the PKI, one for each person on it. */
export async function newServerToken(keys: readonly string[] = ['bruno-lima']): Promise<ServerTokenWorld> {
  const [first, ...others] = keys as [string, ...string[]]
  const holders: [KeyHolder, ...KeyHolder[]] = [await newKeyHolder(first)]
  for (const key of others) holders.push(await newKeyHolder(key))
  const label = `hsm ${holders[0].cpf}`
  const issued = holders.map((each) => each.issued)
  const issuers = running.pki.chainOf(holders[0].issued).slice(1)
  const token = await newSoftToken({ label, pin: TOKEN_PIN, holders: issued, issuers })
  onTestFinished(() => token.destroy())
  return { label, token, holders }
}

interface TokenServerOptions {
  /** Of an HSM partition. */
  readonly pin?: string
  readonly signer?: () => Pick<SignatureService, 'baseUrl' | 'apiKey'>
  readonly settings?: SettingsFile
  readonly after?: SessionWorld
}

/** A service with one token of its own; looks only when it is told to. */
export function startTokenServer(
  database: Database,
  { label, token }: ServerTokenWorld,
  { pin, signer, settings = {}, after }: TokenServerOptions = {},
): Promise<SessionWorld> {
  const own = { Name: 'cofre-1', ModulePath: token.module, TokenLabel: label, ...(pin !== undefined && { Pin: pin }) }
  return startSessionServer(database, {
    settings: { ServerTokens: { Tokens: [own], LookSeconds: 3600 }, ...settings },
    ...(signer && { signer }),
    ...(after && { after }),
  })
}

/** The certificate of a CPF on a token, once it has been judged. */
export const untilShown = ({ store }: Pick<SessionWorld, 'store'>, cpf: string, status = 'ACTIVE') =>
  vi.waitUntil(
    async () => {
      const held = store.db.selectFrom('certificate').selectAll().where('custody', '=', 'token')
      const row = await held.where('cpf', '=', cpf).where('removed_at', 'is', null).executeTakeFirst()
      return row?.status === status && row
    },
    { interval: 20 },
  )

/** What readiness says of the token, once it says whether it is usable. */
export const untilToken = (world: SessionWorld, ok: boolean, name = 'cofre-1') =>
  vi.waitUntil(
    async () => {
      await lookNow(world)
      const answer = await fetch(`${world.baseUrl}/ready/details`, { headers: { 'X-API-Key': world.client.apiKey } })
      const { checks } = (await answer.json()) as { checks: { name: string; ok: boolean; detail: string }[] }
      const check = checks.find((one) => one.name === `token:${name}`)
      return check?.ok === ok && !check.detail.startsWith('Nobody') && { ...check, ready: answer.status }
    },
    { interval: 100 },
  )

/** The processes of modules that belong to this one. */
export async function moduleProcesses(parent = process.pid): Promise<readonly number[]> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  return all.filter((pid) => {
    try {
      const isChild = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(parent)
      readlinkSync(`/proc/${pid}/exe`)
      return isChild && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('token-process')
    } catch {
      return false
    }
  })
}
