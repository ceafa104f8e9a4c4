import type { TSchema } from 'typebox'
import { withoutSecrets } from './hide-secrets.ts'
import type { AnyLoadedSettings, SettingsSchemas } from './load-settings.ts'
import { type Setting, sectionsOf, settingsOf } from './setting-schema.ts'
import { sourceText } from './source.ts'

/** One effective setting, fit to be shown. */
export interface PrintedSetting {
  readonly key: string
  /** Secrets read `(set)` or `(not set)`; an absent setting has no value. */
  readonly value?: unknown
  readonly source: string
}

/** The effective settings with their sources, without secrets: for `config print` as JSON and for the text below. */
export function printedSettings(
  schemas: SettingsSchemas,
  loaded: AnyLoadedSettings,
): Record<string, readonly PrintedSetting[]> {
  const services = Object.keys(loaded.settings).map((name) => [name, printService(schemas[name]!, loaded, name)])
  return Object.fromEntries(services)
}

/** The same as aligned text, one line per setting under the name of its service. */
export function printSettings(schemas: SettingsSchemas, loaded: AnyLoadedSettings): string {
  const services = Object.entries(printedSettings(schemas, loaded))
  return services.map(([name, settings]) => `${[name, ...aligned(settings)].join('\n')}\n`).join('\n')
}

function printService(schema: TSchema, loaded: AnyLoadedSettings, service: string): PrintedSetting[] {
  return settingsOf(sectionsOf(schema)).map((setting) => {
    const value = withoutSecrets(setting.schema, valueAt(loaded.settings[service]!, setting))
    const source = loaded.sources[service]![setting.key]
    return {
      key: setting.key,
      ...(value !== undefined && { value }),
      source: source ? sourceText(source) : 'not given',
    }
  })
}

const valueAt = (settings: object, { path }: Setting): unknown =>
  path.reduce<unknown>((inside, name) => (inside as Record<string, unknown> | undefined)?.[name], settings)

function aligned(settings: readonly PrintedSetting[]): string[] {
  const rows = settings.map(({ key, value, source }) => [key, shown(value), source] as const)
  const widthOf = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length))
  const [keys, values] = [widthOf(0), Math.min(widthOf(1), WIDEST_VALUE)]
  return rows.map(([key, value, source]) => `  ${key.padEnd(keys)}  ${value.padEnd(values)}  ${source}`)
}

// One long list must not push every source off the screen.
const WIDEST_VALUE = 48

const shown = (value: unknown): string => {
  if (value === undefined) return '(not set)'
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
}
