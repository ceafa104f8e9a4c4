/** An element as text. */
export type Xml = string & { readonly xml: unique symbol }

type Child = Xml | undefined | readonly Child[]

/** An element with others inside; what is undefined is left out. */
export const element = (name: string, attributes: Readonly<Record<string, string>>, ...children: Child[]): Xml =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(value)}"`)
    .join('')}>${joined(children)}</${name}>` as Xml

/** An element without attributes around others. */
export const parent = (name: string, ...children: Child[]): Xml => element(name, {}, ...children)

/** An element around a text. */
export const leaf = (name: string, text: string, attributes: Readonly<Record<string, string>> = {}): Xml =>
  element(name, attributes, escaped(text) as Xml)

const joined = (children: readonly Child[]): string =>
  children.map((child) => (typeof child === 'object' ? joined(child) : (child ?? ''))).join('')

/** What XML 1.0 §2.2 has no place for; names of strangers may contain it. */
const UNFIT = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

const escaped = (text: string): string => text.replace(UNFIT, '\ufffd').replace(/[&<>"\r]/g, (one) => ENTITIES[one]!)
