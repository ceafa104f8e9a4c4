import { inject } from 'vitest'
import { askAt } from '../test-run/door.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address at which a test requests the bundles of the web console; the answer is the folder of each, as JSON. */
    chancelaPagesDoor: string
  }
}

let built: Promise<Readonly<Record<string, string>>> | undefined

/** The folder of a production bundle of the web console, built from the current sources. */
export async function builtPages(bundle: string): Promise<string> {
  built ??= askAt(inject('chancelaPagesDoor')).then((folders) => JSON.parse(folders))
  const folder = (await built)[bundle]
  if (folder === undefined) throw new Error(`The web console has no bundle named ${bundle}.`)
  return folder
}
