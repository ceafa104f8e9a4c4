import { inject } from 'vitest'
import { askAt } from '../test-run/door.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for the bundles of the web console; the answer is the folder of each, as JSON. */
    chancelaPagesDoor: string
  }
}

let built: Promise<Readonly<Record<string, string>>> | undefined

/** The folder of a bundle of the web console as it ships, made of the sources as they are now. */
export async function builtPages(bundle: string): Promise<string> {
  built ??= askAt(inject('chancelaPagesDoor')).then((folders) => JSON.parse(folders))
  const folder = (await built)[bundle]
  if (folder === undefined) throw new Error(`The web console has no bundle named ${bundle}.`)
  return folder
}
