import { acceptedValues } from './accepted-values.ts'
import type { SettingsSchemas } from './load-settings.ts'
import { keywords, type Setting, sectionsOf, settingsOf } from './setting-schema.ts'
import { COMMON, variableName } from './variable-name.ts'

/**
 * The configuration reference in Markdown, made from the schemas themselves: the settings all services share in one
 * table, then one table per service with its own. Names of variables begin where the table's heading says.
 */
export function describeSettings(schemas: SettingsSchemas): string {
  const services = Object.entries(schemas).map(([name, schema]) => ({ name, settings: settingsOf(sectionsOf(schema)) }))
  const shared = services.length > 1 ? sharedBy(services) : []
  const sharedKeys = new Set(shared.map(({ key }) => key))
  const own = services.map(({ name, settings }) => ({
    name,
    settings: settings.filter(({ key }) => !sharedKeys.has(key)),
  }))
  const tables = own
    .filter(({ settings }) => settings.length > 0)
    .map(({ name, settings }) => serviceTable(name, settings))
  return [...(shared.length > 0 ? [sharedTable(shared, services)] : []), ...tables].join('\n')
}

interface Service {
  readonly name: string
  readonly settings: readonly Setting[]
}

/** Settings that every service has with the same meaning; defaults may differ. */
function sharedBy([first, ...others]: readonly Service[]): Setting[] {
  const meaning = ({ key, schema }: Setting): string =>
    `${key} ${acceptedValues(schema)} ${keywords(schema).description}`
  const hasSame = (setting: Setting) => (other: Service) =>
    other.settings.some((one) => meaning(one) === meaning(setting))
  return first!.settings.filter((setting) => others.every(hasSame(setting)))
}

function sharedTable(shared: readonly Setting[], services: readonly Service[]): string {
  const rows = shared.map((setting) => row(setting, sharedDefault(setting, services), `…__${setting.path.join('__')}`))
  const one = `\`${variableName(services[0]!.name, [])}\` for ${services[0]!.name}`
  const intro = `Variables begin with the name of the service, such as ${one}, or with \`${variableName(COMMON, [])}\` for all.`
  return table('Every service', intro, rows)
}

function serviceTable(name: string, settings: readonly Setting[]): string {
  const rows = settings.map((setting) => row(setting, defaultOf(setting), `…__${setting.path.join('__')}`))
  return table(name, `Variables begin with \`${variableName(name, [])}\`.`, rows)
}

function table(title: string, intro: string, rows: readonly string[]): string {
  const head = ['| Setting | Takes | Default | Meaning | Variable |', '|---|---|---|---|---|']
  return [`## ${title}`, '', intro, '', ...head, ...rows, ''].join('\n')
}

function row(setting: Setting, defaultText: string, variable: string): string {
  const cells = [
    `\`${setting.key}\``,
    acceptedValues(setting.schema),
    defaultText,
    meaningOf(setting),
    `\`${variable}\``,
  ]
  return `| ${cells.map(inCell).join(' | ')} |`
}

const SECRECY = {
  true: ' Secret: never printed; may be read from a file.',
  'url-password': ' The password in it is never printed; may be read from a file.',
} as const

function meaningOf({ schema }: Setting): string {
  const { secret, description } = keywords(schema)
  return `${description}${secret ? SECRECY[`${secret}`] : ''}`
}

const inCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')

function sharedDefault(setting: Setting, services: readonly Service[]): string {
  const defaults = services.map(({ name, settings }) => ({
    name,
    text: defaultOf(settings.find(({ key }) => key === setting.key)!),
  }))
  if (new Set(defaults.map(({ text }) => text)).size === 1) return defaults[0]!.text
  return defaults.map(({ name, text }) => `${text} (${name})`).join(', ')
}

function defaultOf({ schema, required, optionalSections }: Setting): string {
  const value = keywords(schema).default
  if (value !== undefined) return `\`${JSON.stringify(value)}\``
  if (!required) return 'not set'
  return optionalSections.length > 0 ? `must be given with \`${optionalSections.at(-1)}\`` : 'must be given'
}
