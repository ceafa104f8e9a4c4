import type { ApiKeyTables } from '@chancela/service-kernel/http'
import type { Store } from '@chancela/service-kernel/store'
import type { BenchScene } from '../../scene.ts'
import { type CredentialsService, startCredentialsService } from './credentials-service.ts'

/** The two databases, each with a service of its own. */
export const products = ['SQLite', 'PostgreSQL'] as const
export type Product = (typeof products)[number]

/** A service with very many degrees, shared by the contestants on its database. */
export interface Library {
  /** The service, with so many degrees; calling it again with the same number returns the same one. */
  holding(degrees: number): Promise<CredentialsService>
  /** Server processes besides the service. */
  pids(): Promise<readonly number[]>
  close(): Promise<void>
}

/** Writes so many degrees, and the files they need, into what a service has on disk. */
type Fill = (store: Store<ApiKeyTables>, degrees: number, dataFolder: string) => Promise<void>

export function libraryOn(product: Product, scene: BenchScene, fill: Fill): Library {
  let opened: { readonly degrees: number; readonly service: Promise<CredentialsService> } | undefined
  const close = async () => {
    const closing = opened
    opened = undefined
    await (await closing?.service)?.remove()
  }
  const open = async (degrees: number) =>
    startCredentialsService({
      on: scene.folder,
      databaseUrl: product === 'SQLite' ? undefined : (await scene.postgres()).url,
      fill: (store, dataFolder) => fill(store, degrees, dataFolder),
    })
  return {
    holding: async (degrees) => {
      if (opened?.degrees !== degrees) {
        await close()
        opened = { degrees, service: open(degrees) }
      }
      return opened!.service
    },
    pids: async () => (product === 'SQLite' ? [] : (await scene.postgres()).pids),
    close,
  }
}
