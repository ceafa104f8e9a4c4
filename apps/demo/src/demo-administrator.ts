import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DemoFile, writePrivately } from './demo-file.ts'

/** The administrator of the demo's consoles, who is also a user of its organization and of its university. */
export interface DemoAdministrator {
  readonly name: string
  readonly email: string
  readonly password: string
}

/**
 * Each installation has a password of its own. It is written before anybody has it: a start that is killed in between would
 * leave accounts behind whose password nobody knows.
 */
export function demoAdministrator(dataFolder: string, former: DemoFile | undefined): DemoAdministrator {
  const file = join(dataFolder, 'demo-password')
  if (!existsSync(file)) writePrivately(file, passwordIn(former) ?? randomBytes(12).toString('base64url'))
  return { name: 'Helena Prado', email: 'helena@hospital.example', password: readFileSync(file, 'utf8') }
}

/** Earlier versions had the same password everywhere; accounts of such a start still have it. */
const passwordIn = (former: DemoFile | undefined): string | undefined =>
  Object.values(former?.services ?? {}).find(({ userPassword }) => userPassword)?.userPassword

/** What `data/demo.json` contains of a console. */
export const consoleAccess = ({ email, password }: DemoAdministrator) => ({ userEmail: email, userPassword: password })
