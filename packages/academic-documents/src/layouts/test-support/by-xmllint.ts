import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'

/** Files given to one call: starting the program and compiling the schema cost more than judging some documents. */
const AT_ONCE = 500

/** What xmllint says of each document by a schema: whether it is valid. */
export async function byXmllint(schema: string, documents: readonly Buffer[]): Promise<boolean[]> {
  const verdicts: boolean[] = []
  for (let at = 0; at < documents.length; at += AT_ONCE)
    verdicts.push(...(await batch(schema, documents.slice(at, at + AT_ONCE))))
  return verdicts
}

async function batch(schema: string, documents: readonly Buffer[]): Promise<boolean[]> {
  const folder = temporaryFolder()
  const names = documents.map((_, at) => `${at}.xml`)
  documents.forEach((bytes, at) => {
    writeFileSync(join(folder, names[at]!), bytes)
  })
  const { text } = await runTool('xmllint', ['--noout', '--nonet', '--schema', schema, ...names], { folder })
  if (/Schemas parser error|failed to compile/.test(text)) throw new Error(`xmllint: ${text.slice(0, 1000)}`)
  const valid = new Set([...text.matchAll(/^(\d+\.xml) validates$/gm)].map(([, name]) => name))
  return names.map((name) => valid.has(name))
}
