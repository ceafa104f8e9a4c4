/** File names a watched folder ignores. */
export interface IgnoreRules {
  /** Lower-case, with their dot. */
  readonly extensions: ReadonlySet<string>
  readonly prefixes: readonly string[]
}

interface IgnoreLists {
  readonly IgnoredExtensions?: readonly string[]
  readonly IgnoredPrefixes?: readonly string[]
}

/** Prefix of incoming uploads; always ignored, whatever the settings say. */
export const UPLOAD_PREFIX = '.chancela-upload-'

/** The hidden file by which a database knows a folder; always ignored. */
export const PLACE_MARKER = '.chancela-folder'

/** Combines the lists of the host and of a folder: a folder can only add. */
export function ignoreRules(...lists: readonly IgnoreLists[]): IgnoreRules {
  const extensions = lists.flatMap(({ IgnoredExtensions = [] }) => IgnoredExtensions)
  const prefixes = lists.flatMap(({ IgnoredPrefixes = [] }) => IgnoredPrefixes)
  return {
    extensions: new Set(extensions.filter(isGiven).map((one) => (one.startsWith('.') ? one : `.${one}`).toLowerCase())),
    // An empty prefix matches every name: it would silently ignore all files.
    prefixes: [UPLOAD_PREFIX, PLACE_MARKER, ...prefixes.filter(isGiven)],
  }
}

const isGiven = (text: string): boolean => text !== ''

/** Whether a file with this name is ignored. */
export function isIgnored({ extensions, prefixes }: IgnoreRules, fileName: string): boolean {
  const dot = fileName.lastIndexOf('.')
  if (dot >= 0 && extensions.has(fileName.slice(dot).toLowerCase())) return true
  return prefixes.some((prefix) => fileName.startsWith(prefix))
}
