import type { AnySealedTable } from '@chancela/service-kernel/service'
import type { Ground } from '../wiring.ts'

const sealContext = (name: string): string => `document-platform/instance_secret/${name}`

/** The sealed column of the instance's secrets, so that a rotation of the master key reaches it. */
export const sealedInstanceSecrets: AnySealedTable = {
  table: 'instance_secret',
  idColumn: 'name',
  columns: ['sealed'],
  context: ({ name }) => sealContext(String(name)),
}

type SecretsGround = Pick<Ground, 'store' | 'secrets'>

/** The secret of this name; made and kept by whoever needs it first, so that all instances have the same. */
export async function instanceSecret(
  ground: SecretsGround,
  name: string,
  make: () => Promise<string>,
): Promise<string> {
  const { store, secrets } = ground
  const known = await readSecret(ground, name)
  if (known !== undefined) return known
  const sealed = secrets.seal(await make(), sealContext(name))
  await store.db
    .insertInto('instance_secret')
    .values({ name, sealed })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await readSecret(ground, name))!
}

async function readSecret({ store, secrets }: SecretsGround, name: string): Promise<string | undefined> {
  const row = await store.db.selectFrom('instance_secret').selectAll().where('name', '=', name).executeTakeFirst()
  return row && secrets.openText(row.sealed, sealContext(name))
}
