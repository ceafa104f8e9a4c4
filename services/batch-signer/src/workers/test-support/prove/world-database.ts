import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '@chancela/service-kernel/store'
import { type RawBuilder, sql } from 'kysely'

/** The store of one world, to which things happen between two runs. */
export interface WorldDatabase {
  readonly url: string
  /** Keeps a copy of what is there now. */
  keep(): Promise<void>
  /** Puts the kept copy back; nothing when none was kept. */
  putBack(): Promise<void>
  /** Leaves an empty store. */
  lose(): Promise<void>
  /** Removes the store at the end of its world. */
  remove(): Promise<void>
}

export function sqliteDatabase(root: string): WorldDatabase {
  const [folder, kept] = [join(root, 'db'), join(root, 'db-kept')]
  const lose = async () => rmSync(folder, { recursive: true, force: true })
  const copy = (from: string, to: string) => cpSync(from, to, { recursive: true })
  return {
    url: `sqlite:${join(folder, 'batch-signer.db')}`,
    lose,
    keep: async () => {
      rmSync(kept, { recursive: true, force: true })
      if (existsSync(folder)) copy(folder, kept)
    },
    putBack: async () => {
      if (!existsSync(kept)) return
      await lose()
      copy(kept, folder)
    },
    remove: lose,
  }
}

/** A database of its own on a server; copies of it are databases too. */
export async function postgresDatabase(server: string, name: string): Promise<WorldDatabase> {
  const [own, kept] = [sql.id(name), sql.id(`${name}_kept`)]
  let isKept = false
  const drop = (which: RawBuilder<unknown>) => ask(server, sql`drop database if exists ${which} with (force)`)
  const make = (which: RawBuilder<unknown>) => ask(server, sql`create database ${which}`)
  const replace = async (to: RawBuilder<unknown>, from: RawBuilder<unknown>) => {
    await drop(to)
    await ask(server, sql`create database ${to} template ${from}`)
  }
  await make(own)
  return {
    url: urlOf(server, name),
    lose: async () => {
      await drop(own)
      await make(own)
    },
    keep: async () => {
      await replace(kept, own)
      isKept = true
    },
    putBack: async () => (isKept ? replace(own, kept) : undefined),
    remove: async () => {
      await drop(own)
      await drop(kept)
    },
  }
}

function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

async function ask(server: string, statement: RawBuilder<unknown>): Promise<void> {
  const store = await openStore({ url: server, service: 'prover' })
  try {
    await statement.execute(store.db)
  } finally {
    await store.close()
  }
}
