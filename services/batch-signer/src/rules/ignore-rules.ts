/** Names a watched folder leaves alone. */
export interface IgnoreRules {
  /** Lower-case, with their dot. */
  readonly extensions: ReadonlySet<string>
  readonly prefixes: readonly string[]
}

interface IgnoreLists {
  readonly IgnoredExtensions?: readonly string[]
  readonly IgnoredPrefixes?: readonly string[]
}

/** Begins the names of uploads on their way in; ignored whatever the settings say. */
export const UPLOAD_PREFIX = '.chancela-upload-'

/** Joins the lists of the host and of a folder: a folder can only add. */
export function ignoreRules(...lists: readonly IgnoreLists[]): IgnoreRules {
  const extensions = lists.flatMap(({ IgnoredExtensions = [] }) => IgnoredExtensions)
  const prefixes = lists.flatMap(({ IgnoredPrefixes = [] }) => IgnoredPrefixes)
  return {
    extensions: new Set(extensions.filter(isGiven).map((one) => (one.startsWith('.') ? one : `.${one}`).toLowerCase())),
    // An empty prefix begins every name: it would silently ignore all files.
    prefixes: [UPLOAD_PREFIX, ...prefixes.filter(isGiven)],
  }
}

const isGiven = (text: string): boolean => text !== ''

/** Whether a file of this name is left alone. */
export function isIgnored({ extensions, prefixes }: IgnoreRules, fileName: string): boolean {
  const dot = fileName.lastIndexOf('.')
  if (dot >= 0 && extensions.has(fileName.slice(dot).toLowerCase())) return true
  return prefixes.some((prefix) => fileName.startsWith(prefix))
}
