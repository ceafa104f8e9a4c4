import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import fc from 'fast-check'
import { XmlC14NMode, XmlDocument, type XmlElement } from 'libxml2-wasm'
import { describe, test } from 'vitest'
import { type CanonicalFamily, type CanonicalForm, canonicalBytes, canonicalDigest } from './canonical-form.ts'
import { scanXml } from './xml-scanner.ts'

const modes: Readonly<Record<CanonicalFamily, 0 | 1 | 2>> = {
  inclusive: XmlC14NMode.XML_C14N_1_0,
  exclusive: XmlC14NMode.XML_C14N_EXCLUSIVE_1_0,
  inclusive11: XmlC14NMode.XML_C14N_1_1,
}
const forms: readonly CanonicalForm[] = (['inclusive', 'exclusive', 'inclusive11'] as const).flatMap((family) => [
  { family, withComments: false },
  { family, withComments: true },
])

/** The result of libxml2: the whole document, then each element of it in document order. */
function byLibxml2(xml: Uint8Array, form: CanonicalForm): { whole: string; subtrees: string[] } {
  const document = XmlDocument.fromBuffer(xml)
  const options = {
    mode: modes[form.family],
    withComments: form.withComments,
    ...(form.inclusivePrefixes && { inclusiveNamespacePrefixes: [...form.inclusivePrefixes] }),
  }
  try {
    const subtrees = document.find('//*').map((element) => (element as XmlElement).canonicalizeToString(options))
    return { whole: document.canonicalizeToString(options), subtrees }
  } finally {
    document.dispose()
  }
}

function assertEqualToLibxml2(text: string | Uint8Array, form: CanonicalForm): void {
  const xml = typeof text === 'string' ? Buffer.from(text, 'utf8') : text
  const index = scanXml(xml)
  const expected = byLibxml2(xml, form)
  assert.equal(canonicalBytes(index, form).toString('utf8'), expected.whole)
  assert.equal(index.tables.elementCount, expected.subtrees.length)
  expected.subtrees.forEach((subtree, apex) => {
    assert.equal(canonicalBytes(index, form, { apex }).toString('utf8'), subtree, `subtree ${apex}`)
  })
}

const tricky: Readonly<Record<string, string>> = {
  'empty element': '<a/>',
  'empty element with a gap': '<a  b = "1" />',
  'byte order mark': '\ufeff<a/>',
  declaration: '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<a>x</a>\n',
  'nodes around the root': '<!-- one -->\n<?pi  some data ?><a/>\n<?end?>\n<!--two-->\n',
  'attributes out of order': '<a z="1" b="2" a="3" aa="4"/>',
  'attributes ordered by namespace': '<a xmlns:z="urn:a" xmlns:a="urn:z" z:x="1" a:x="2" x="3"/>',
  'superfluous declarations':
    '<a xmlns="urn:d" xmlns:p="urn:p"><b xmlns="urn:d" xmlns:p="urn:p"><p:c xmlns:p="urn:q"/></b></a>',
  'default namespace undeclared': '<a xmlns="urn:d"><b xmlns=""><c xmlns="urn:d"/><d xmlns=""/></b></a>',
  'undeclaring nothing': '<a xmlns=""><b xmlns=""/></a>',
  'unused prefixes': '<a xmlns:u="urn:u" xmlns:v="urn:v"><v:b><c v:d="1" u:e="2"/></v:b><v:b/></a>',
  'prefix bound twice': '<p:a xmlns:p="urn:1"><p:b xmlns:p="urn:2"><p:c/></p:b><p:d/></p:a>',
  'two prefixes of one name': '<p:a xmlns:p="urn:1" xmlns:q="urn:1"><q:b><p:c/></q:b></p:a>',
  'declarations between attributes': '<a b="1" xmlns:p="urn:p" p:c="2" xmlns="urn:d"/>',
  'line ends': '<a b="1\r\n2\r3\n4\t5">x\r\ny\rz\r\r\n</a>',
  'line ends by reference': '<a b="&#13;&#10;&#9;&#xD;&#xA;">&#13;&#10;&#9;&#xD;</a>',
  entities: '<a b="&lt;&gt;&amp;&quot;&apos;">&lt;&gt;&amp;&quot;&apos;</a>',
  'numeric characters': '<a b="&#65;&#x1F600;&#233;&#38;&#60;">&#65;&#x1F600;&#233;&#38;&#60;&#62;</a>',
  'apostrophes around values': '<a b=\'1 "two" &apos;3&apos;\' c="it\'s"/>',
  'greater-than in text': '<a b="1>2">1 > 2 >= 0 ] ]] &gt;</a>',
  cdata: '<a><![CDATA[<b>&amp;\r\n]]]]><![CDATA[>]]>tail</a>',
  'comments inside text': '<a>one<!-- c\r\nd -->two<?p   q  r ?>three<?s?></a>',
  'space in end tags': '<a ><b\n>x</b ></a\t>',
  'beyond the BMP': '<a 𐀀b="1" \uffe0b="2">é😀</a>',
  'names outside ASCII': '<ação número="1" ñ:x="2" xmlns:ñ="urn:n"/>',
  'xml attributes': '<a xml:lang="pt" xml:space="preserve" xml:id="r"><b><c xml:lang="en"/><d q="1"/></b></a>',
  'xml namespace declared': '<a xmlns:xml="http://www.w3.org/XML/1998/namespace" xml:lang="pt"><b/></a>',
  'namespace names with references': '<a xmlns:p="urn:a?b&#61;c&#x3a;d" p:q="1"><p:b/></a>',
  'white space everywhere': '<a \t\n b = "1"\n  c\t=\n"2"  >\n\t<b\t/>\n</a>',
  'many siblings': `<r xmlns:p="urn:p">${'<p:i a="1"/><i b="2">&#62;</i>'.repeat(50)}</r>`,
}

describe('the canonical form', () => {
  for (const [name, xml] of Object.entries(tricky))
    test(`equals that of libxml2, whole and for each subtree: ${name}`, () => {
      for (const form of forms) assertEqualToLibxml2(xml, form)
    })

  test('equals that of libxml2 with a list of inclusive prefixes', () => {
    const xml =
      '<a xmlns="urn:d" xmlns:p="urn:p" xmlns:q="urn:q"><b xmlns:r="urn:r"><p:c r:x="1"><d xmlns=""/></p:c></b><e xmlns="urn:e"/></a>'
    for (const inclusivePrefixes of [['p'], ['q', 'r'], ['p', 'q', 'r', 'absent']])
      assertEqualToLibxml2(xml, { family: 'exclusive', withComments: false, inclusivePrefixes })
  })

  // libxml2 writes the ampersand of a namespace name bare, which is not XML; the specification escapes it like any value.
  test('escapes namespace names, where libxml2 does not', () => {
    const index = scanXml(Buffer.from('<a xmlns="urn:b?c&amp;d"/>'))
    for (const form of forms) assert.equal(canonicalBytes(index, form).toString(), '<a xmlns="urn:b?c&amp;d"></a>')
  })

  test('honours #default in a list of inclusive prefixes', () => {
    const index = scanXml(Buffer.from('<p:a xmlns="urn:d" xmlns:p="urn:p"><p:b><c/></p:b></p:a>'))
    const form = { family: 'exclusive', withComments: false, inclusivePrefixes: ['#default'] } as const
    assert.equal(
      canonicalBytes(index, form, { apex: 1 }).toString(),
      '<p:b xmlns="urn:d" xmlns:p="urn:p"><c></c></p:b>',
    )
  })

  test('reads UTF-16 and ISO-8859-1 as libxml2 does', () => {
    const text = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><a b="ação">é&#233;</a>`
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text('UTF-16'), 'utf16le')])
    for (const xml of [utf16, Buffer.from(utf16).swap16(), Buffer.from(text('ISO-8859-1'), 'latin1')])
      for (const form of forms) assertEqualToLibxml2(xml, form)
  })

  test('equals that of libxml2 for any document', () => {
    fc.assert(
      fc.property(anyDocument, fc.constantFrom(...forms), (xml, form) => assertEqualToLibxml2(xml, form)),
      { numRuns: 400 },
    )
  })

  test('equals that of xmllint for whole documents', async () => {
    const folder = temporaryFolder()
    const whole = `${tricky['superfluous declarations']!}<!-- end -->`
    writeFileSync(join(folder, 'a.xml'), whole)
    const index = scanXml(Buffer.from(whole))
    const options = { c14n: 'inclusive', c14n11: 'inclusive11', 'exc-c14n': 'exclusive' } as const
    for (const [option, family] of Object.entries(options)) {
      const { stdout } = await runTool('xmllint', [`--${option}`, 'a.xml'], { folder })
      assert.equal(canonicalBytes(index, { family, withComments: true }).toString(), stdout.toString())
    }
  })

  test('joins xml:base of ancestors in 1.1 and does not inherit xml:id', () => {
    const xml =
      '<a xml:base="http://example.com/one/two" xml:id="i"><b xml:base="../three/"><c xml:base="four?x=1" xml:lang="pt"><d/></c></b></a>'
    assertEqualToLibxml2(xml, { family: 'inclusive11', withComments: false })
    const index = scanXml(Buffer.from(xml))
    const form = { family: 'inclusive11', withComments: false } as const
    assert.equal(
      canonicalBytes(index, form, { apex: 3 }).toString(),
      '<d xml:base="http://example.com/three/four?x=1" xml:lang="pt"></d>',
    )
  })

  test('leaves excluded elements out, wherever they are', () => {
    const index = scanXml(Buffer.from("<a><s>1</s>x<b><s x='1'><t/></s>&gt;<c/></b><s/>\r\n</a>"))
    for (const family of ['inclusive', 'exclusive', 'inclusive11'] as const) {
      const form = { family, withComments: false }
      const exclude = [6, 1, 3]
      assert.equal(canonicalBytes(index, form, { exclude }).toString(), '<a>x<b>&gt;<c></c></b>\n</a>')
      assert.equal(canonicalBytes(index, form, { apex: 2, exclude: [3, 4] }).toString(), '<b>&gt;<c></c></b>')
      assert.equal(canonicalBytes(index, form, { exclude: [0] }).toString(), '')
    }
  })

  test('is hashed in pieces to the digest of the whole', () => {
    const index = scanXml(Buffer.from(`<a>${`<b z="1" c="2">${'texto '.repeat(2000)}</b>`.repeat(20)}</a>`))
    for (const form of forms)
      assert.deepEqual(
        canonicalDigest(index, form, {}, 'sha256'),
        createHash('sha256').update(canonicalBytes(index, form)).digest(),
      )
  })

  test('does not exist for relative namespace names', () => {
    const index = scanXml(Buffer.from('<a><b xmlns:p="relative"/><c/></a>'))
    const form = { family: 'exclusive', withComments: false } as const
    assert.throws(() => canonicalBytes(index, form), { code: 'xml.namespace-relative' })
    assert.equal(canonicalBytes(index, form, { apex: 2 }).toString(), '<c></c>')
  })
})

// Documents with every construct that canonicalisation treats specially, well-formed by construction.
const prefix = fc.constantFrom('', 'p', 'q', 'é')
const uri = fc.constantFrom('urn:1', 'urn:2', 'http://example.com/a?b=c')
const local = fc.constantFrom('a', 'b', 'Id', 'item', 'ação')
const characters = fc
  .array(
    fc.constantFrom(
      'x',
      ' ',
      'é',
      '😀',
      '&amp;',
      '&lt;',
      '&gt;',
      '&quot;',
      '&#13;',
      '&#xA;',
      '&#x41;',
      '\n',
      '\r\n',
      '\r',
      '\t',
      '>',
      ']',
    ),
    { maxLength: 8 },
  )
  // Text must not hold `]]>`, nor complete it behind the text of a sibling.
  .map((parts) =>
    parts
      .join('')
      .replace(/\]{2,}>/g, '')
      .replace(/^[\]>]+/, ''),
  )
const value = fc
  .tuple(characters, fc.constantFrom('"', "'"))
  .map(([text, quote]) => quote + text + (quote === '"' ? "'" : '"') + quote)
const gap = fc.constantFrom(' ', ' ', '  ', '\n', '\t ')

type Node =
  | string
  | {
      prefix: string
      local: string
      declarations: [string, string][]
      attributes: [string, string, string][]
      gap: string
      children: Node[]
      empty: boolean
    }

const { node } = fc.letrec<{ node: Node; element: Node }>((tie) => ({
  element: fc.record({
    prefix,
    local,
    declarations: fc.uniqueArray(fc.tuple(prefix, uri), { selector: ([name]) => name, maxLength: 3 }),
    attributes: fc.uniqueArray(fc.tuple(prefix, local, value), { selector: ([p, l]) => `${p}:${l}`, maxLength: 4 }),
    gap,
    children: fc.array(tie('node'), { maxLength: 4 }),
    empty: fc.boolean(),
  }),
  node: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    characters,
    characters.map((text) => `<![CDATA[${text}]]>`),
    fc.constantFrom('<!-- c > & -->', '<?pi data ?>', '<?pi?>', '<!--\r\n-->'),
    tie('element'),
  ),
}))

const anyDocument = node
  .filter((made): made is Exclude<Node, string> => typeof made !== 'string')
  .map((root) => `<!--before-->${written(root, new Map([['', '']]))}<?behind it?>`)

/** Writes an element, declaring what it uses and dropping attributes that the bindings would make duplicates. */
function written(node: Node, outer: ReadonlyMap<string, string>): string {
  if (typeof node === 'string') return node
  const scope = new Map(outer)
  const declarations = new Map(node.declarations)
  for (const used of [node.prefix, ...node.attributes.map(([p]) => p)])
    if (used !== '' && !scope.has(used) && !declarations.has(used)) declarations.set(used, 'urn:1')
  for (const [name, bound] of declarations) scope.set(name, bound)
  const seen = new Set<string>()
  const attributes = node.attributes.filter(([p, l]) => {
    const expanded = `${p === '' ? '' : scope.get(p)} ${l}`
    return !seen.has(expanded) && seen.add(expanded)
  })
  const name = qualified(node.prefix, node.local)
  const parts = [
    ...attributes.map(([p, l, v]) => `${qualified(p, l)}=${v}`),
    ...[...declarations].map(([p, u]) => `${p === '' ? 'xmlns' : `xmlns:${p}`}="${u}"`),
  ]
  const tag = [name, ...parts].join(node.gap)
  const content = node.children.map((child) => written(child, scope)).join('')
  return node.empty ? `<${tag}/>` : `<${tag}>${content.replaceAll(']]>x', ']]>')}</${name}>`
}

const qualified = (p: string, l: string): string => (p === '' ? l : `${p}:${l}`)
