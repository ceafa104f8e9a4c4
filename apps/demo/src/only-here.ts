import type { KernelSettings } from '@chancela/service-kernel/config'
import { StartupProblem } from '@chancela/service-kernel/errors'
import type { ServiceDefinition } from '@chancela/service-kernel/service'

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/i

type Sections = Readonly<Record<string, { readonly Host: string } | undefined>>

/** Its home page gives all keys, PINs and mails to whoever reaches it: nobody but this machine may, nor anybody rely on it. */
export function refuseExposed(
  chosen: readonly ServiceDefinition[],
  settings: Readonly<Record<string, KernelSettings>>,
): void {
  for (const { name, surfaces } of chosen) {
    const own = settings[name]!
    if (own.Environment === 'production')
      throw refused(`${name} Environment`, 'is production: start the services with chancela start instead.')
    for (const { section } of surfaces) {
      const { Host } = (own as unknown as Sections)[section]!
      if (!LOOPBACK.test(Host)) throw refused(`${name} ${section}:Host`, `is ${Host}: only localhost may reach it.`)
    }
  }
}

const refused = (setting: string, why: string): StartupProblem =>
  new StartupProblem(`The demo shows its keys and passwords to everybody, and ${setting} ${why}`, { setting })
