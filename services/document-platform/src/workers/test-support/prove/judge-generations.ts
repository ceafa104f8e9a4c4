import type { ReceivedMail } from '@chancela/testkit/mail'
import { addressOf, type Generation, type GenerationDeeds, isFaulty, lineOf, rowsOf } from './generation-deeds.ts'
import type { PlatformClient, TheirDocument } from './platform-client.ts'

/** Every row became one document with one mail, or is told as an error. */
export async function judgeGenerations(
  client: PlatformClient,
  { asked }: GenerationDeeds,
  documents: readonly TheirDocument[],
  inbox: readonly ReceivedMail[],
) {
  const violations: string[] = []
  let made = 0
  for (const generation of asked) {
    const its = documents.filter(({ name }) => name.startsWith(`${generation.name} `))
    made += its.length
    violations.push(
      ...judgeDocuments(generation, its),
      ...judgeMails(generation, its, inbox),
      ...(await judgeProgress(client, generation)),
    )
  }
  return { violations, generations: asked.length, generated: made }
}

/** The participants of the documents that were made. */
export const addressesOf = ({ asked }: GenerationDeeds, documents: readonly TheirDocument[]): readonly string[] => {
  const names = new Set(documents.map(({ name }) => name))
  return asked.flatMap((generation) =>
    rowsOf(generation)
      .filter((row) => names.has(`${generation.name} ${row + 1}`))
      .map((row) => addressOf(generation, row)),
  )
}

/** One that the service did not confirm may not have begun; one that began goes to its end. */
function judgeDocuments(generation: Generation, documents: readonly TheirDocument[]): readonly string[] {
  const { name, id } = generation
  if (id === undefined && documents.length === 0) return []
  const expected = rowsOf(generation).filter((row) => !isFaulty(row))
  return expected.flatMap((row) => {
    const count = documents.filter((one) => one.name === `${name} ${row + 1}`).length
    return count === 1 ? [] : [`row ${row} of ${name} became ${count} documents`]
  })
}

function judgeMails(
  generation: Generation,
  documents: readonly TheirDocument[],
  inbox: readonly ReceivedMail[],
): readonly string[] {
  return rowsOf(generation).flatMap((row) => {
    const made = documents.filter(({ name }) => name === `${generation.name} ${row + 1}`).length
    const mails = inbox.filter(({ to }) => to.some(({ address }) => address === addressOf(generation, row)))
    const count = new Set(mails.map(({ messageId }) => messageId)).size
    return count === made ? [] : [`${made} documents of row ${row} of ${generation.name} have ${count} mails`]
  })
}

async function judgeProgress(client: PlatformClient, generation: Generation): Promise<readonly string[]> {
  const { name, id, rows } = generation
  if (id === undefined) return []
  const { status, completedCount, failedCount, errors } = await client.generation(id)
  const faulty = rowsOf(generation).filter(isFaulty)
  const is = JSON.stringify([status, completedCount, failedCount, errors.map(({ line }) => line)])
  const has = JSON.stringify(['Completed', rows - faulty.length, faulty.length, faulty.map(lineOf)])
  return is === has ? [] : [`${name} is ${is} instead of ${has}`]
}
