import type { Input, Parts } from './input.ts'
import { parseJson } from './json-document.ts'
import { nearestName } from './nearest-name.ts'
import type { Problem } from './problems.ts'
import { type Environment, readEnvironment } from './read-environment.ts'
import type { Layer } from './read-layer.ts'
import { readSettingsFile } from './read-settings-file.ts'
import { DEFAULT_SOURCE, sourceText } from './source.ts'
import { COMMON, serviceInVariable } from './variable-name.ts'

/** The values of all sources, by service. */
export interface Layers {
  readonly problems: readonly Problem[]
  /** False when the file could not be read: its settings must not be called missing. */
  readonly complete: boolean
  /**
   * The layers of a service, the strongest last: the program's defaults, `common` of the file, the service's own there,
   * then both of the environment.
   */
  of(service: string): readonly Layer[]
}

/** Where settings come from. */
export interface LayerSources {
  /** Path of the JSON file; none by default. */
  readonly file?: string | undefined
  readonly environment: Environment
  /** Defaults of the program, in the shape of the file; every other source overrides them. */
  readonly defaults?: Readonly<Record<string, object>>
}

/** Reads the file and the environment, and reports objects and variables of services that do not exist. */
export function gatherLayers(services: readonly string[], { file, environment, defaults = {} }: LayerSources): Layers {
  const names = [COMMON, ...services]
  const written = file === undefined ? NO_FILE : readSettingsFile(file)
  const variables = readEnvironment(environment)
  const brought = layersOf(broughtParts(defaults), names)
  const fromFile = layersOf('input' in written ? written.input.parts : new Map(), names)
  const fromEnvironment = layersOf(variables.input.parts, names)
  const fileProblems = 'problem' in written ? [written.problem] : []
  return {
    problems: [...fileProblems, ...fromFile.problems, ...variables.problems, ...fromEnvironment.problems],
    complete: fileProblems.length === 0,
    of: (service) =>
      [brought, fromFile, fromEnvironment].flatMap(({ layers }) =>
        [COMMON, service].flatMap((name) => layers.get(name) ?? []),
      ),
  }
}

const broughtParts = (defaults: object) => (parseJson(JSON.stringify(defaults), () => DEFAULT_SOURCE) as Parts).parts

const NO_FILE = { input: { parts: new Map<string, Input>() } }

/** Sorts the values of one source by service. */
function layersOf(parts: ReadonlyMap<string, Input>, names: readonly string[]) {
  const layers = new Map<string, Layer>()
  const problems: Problem[] = []
  for (const [written, input] of parts) {
    const label = names.find((name) => isWrittenAs(name, written, input))
    if (label === undefined) problems.push(...variablesIn(input).map((one) => unknownService(written, one, names)))
    else if (input.kind === 'parts') layers.set(label, { label, input })
    else problems.push(notAnObject(label, input))
  }
  return { layers, problems }
}

const isWrittenAs = (name: string, written: string, { source }: Input): boolean =>
  source.kind === 'environment' ? serviceInVariable(name) === written.toUpperCase() : name === written

/** The variables a name stands for, each of which must be fixed; an object of the file is fixed as one. */
function variablesIn(input: Input): readonly Input[] {
  const isGroup = input.kind === 'parts' && input.source.kind === 'environment'
  return isGroup ? [...input.parts.values()].flatMap(variablesIn) : [input]
}

function unknownService(written: string, input: Input, names: readonly string[]): Problem {
  const meant = nearestName(written.replaceAll('_', '-'), names)
  const hint = meant ? `did you mean ${meant}?` : `there are ${names.join(', ')}`
  const source = sourceText(input.source)
  return { kind: 'unknown', key: written, source, sentence: `there is no such service; ${hint}` }
}

const notAnObject = (label: string, input: Input): Problem => ({
  kind: 'invalid',
  key: label,
  source: sourceText(input.source),
  sentence: 'must hold sections, not a value',
})
