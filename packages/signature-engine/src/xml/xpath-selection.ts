import { refuseXml } from './errors.ts'
import type { XmlIndex } from './xml-index.ts'

/**
 * The one element an XPath expression selects, as an ordinal of the index. libxml2 evaluates the expression; both
 * parsers number elements in document order, so the ordinal is the same.
 */
export async function selectByXPath(
  index: XmlIndex,
  expression: string,
  namespaces: Readonly<Record<string, string>> = {},
): Promise<number> {
  const { XmlDocument, XmlElement, XmlXPath } = await import('libxml2-wasm')
  const { bytes, start } = index.tables
  let document: InstanceType<typeof XmlDocument> | undefined
  try {
    // Without the XML declaration: these bytes are UTF-8, whatever it says. libxml2 refuses some that we read.
    document = XmlDocument.fromBuffer(bytes.subarray(start))
    const xpath = XmlXPath.compile(expression, { ...namespaces })
    try {
      const found = document.find(xpath)
      const [element] = found
      if (found.length !== 1 || !(element instanceof XmlElement))
        throw refuseXml('xml.xpath-not-one-element', { count: found.length })
      return Number(element.eval('count(ancestor::*) + count(preceding::*)'))
    } finally {
      xpath.dispose()
    }
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'EngineError') throw cause
    throw refuseXml('xml.xpath-malformed', { reason: cause instanceof Error ? cause.message : String(cause) }, cause)
  } finally {
    document?.dispose()
  }
}
