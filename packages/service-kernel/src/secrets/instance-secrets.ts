import { type Store, storeOf } from '../store/index.ts'
import type { Secrets } from './open-secrets.ts'
import { type SealedTable, sealedTable } from './reseal-table.ts'

/** One row of `instance_secret`: a secret of the instance, such as a key it generated for itself. */
export interface InstanceSecretRow {
  name: string
  sealed: string
}

/** The table a service adds to its own. */
interface InstanceSecretTables {
  instance_secret: InstanceSecretRow
}

const secretStore = storeOf<InstanceSecretTables>()

/** What the service is called in the contexts of sealed values. */
const sealContext = (service: string, name: string): string => `${service}/instance_secret/${name}`

/** The sealed column of a service's own secrets, so that a rotation of the master key includes it. */
export const sealedInstanceSecrets = (service: string): SealedTable =>
  sealedTable<InstanceSecretRow>({
    table: 'instance_secret',
    idColumn: 'name',
    columns: ['sealed'],
    context: ({ name }) => sealContext(service, name),
  })

interface SecretsContext<Tables extends InstanceSecretTables> {
  /** Folder name of the service. */
  readonly service: string
  readonly store: Store<Tables>
  readonly secrets: Secrets
}

/** Whether there is one already. */
export async function hasInstanceSecret<Tables extends InstanceSecretTables>(
  store: SecretsContext<Tables>['store'],
  name: string,
): Promise<boolean> {
  const { db } = secretStore(store)
  return (
    (await db.selectFrom('instance_secret').select('name').where('name', '=', name).executeTakeFirst()) !== undefined
  )
}

/** The secret of this name; created and stored on first use, so that all instances have the same. */
export async function instanceSecret<Tables extends InstanceSecretTables>(
  { service, store, secrets }: SecretsContext<Tables>,
  name: string,
  make: () => Promise<string>,
): Promise<string> {
  const { db } = secretStore(store)
  const read = async (): Promise<string | undefined> => {
    const row = await db.selectFrom('instance_secret').selectAll().where('name', '=', name).executeTakeFirst()
    return row && secrets.openText(row.sealed, sealContext(service, name))
  }
  const known = await read()
  if (known !== undefined) return known
  const sealed = secrets.seal(await make(), sealContext(service, name))
  await db
    .insertInto('instance_secret')
    .values({ name, sealed })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await read())!
}
