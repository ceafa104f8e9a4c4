// A part of a document as plain data: the variants of a kind name the same parts differently.

export type Node = Readonly<Record<string, unknown>>

/** The first of these parts that is there. */
export const nodeIn = (node: Node | undefined, ...names: readonly string[]): Node | undefined =>
  names.map((name) => node?.[name]).find((value): value is Node => typeof value === 'object' && value !== null)

/** The name of the first of these parts that is there. */
export const nameIn = <Name extends string>(node: Node | undefined, ...names: readonly Name[]): Name | undefined =>
  names.find((name) => node?.[name] !== undefined)

export const textIn = (node: Node | undefined, name: string): string | null => {
  const value = node?.[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}
