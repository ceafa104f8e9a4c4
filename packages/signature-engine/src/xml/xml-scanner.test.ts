import assert from 'node:assert/strict'
import fc from 'fast-check'
import { XmlC14NMode, XmlDocument } from 'libxml2-wasm'
import { describe, test } from 'vitest'
import { EngineError } from '../errors/engine-error.ts'
import { canonicalBytes } from './canonical-form.ts'
import type { XmlIndex } from './xml-index.ts'
import { scanXml, type XmlLimits } from './xml-scanner.ts'
import { selectByXPath } from './xpath-selection.ts'

const bytes = (text: string) => Buffer.from(text, 'utf8')

const refused: readonly [why: string, code: string, xml: string | Uint8Array, limits?: Partial<XmlLimits>][] = [
  ['nothing', 'xml.ended-early', ''],
  ['white space only', 'xml.ended-early', ' \n'],
  ['a document type', 'xml.doctype', '<!DOCTYPE a><a/>'],
  [
    'a document type that declares entities',
    'xml.doctype',
    '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  ],
  ['a document type inside the root', 'xml.doctype', '<a><!DOCTYPE a></a>'],
  ['an entity nobody declares', 'xml.entity-undeclared', '<a>&nbsp;</a>'],
  ['a name of the prototype as entity', 'xml.entity-undeclared', '<a>&constructor;</a>'],
  ['a bare ampersand', 'xml.reference-malformed', '<a>b & c</a>'],
  ['a reference without end', 'xml.reference-malformed', '<a>&#65</a>'],
  ['a reference to a forbidden character', 'xml.character-forbidden', '<a>&#0;</a>'],
  ['a reference to a surrogate', 'xml.character-forbidden', '<a b="&#xD800;"/>'],
  ['a reference beyond Unicode', 'xml.character-forbidden', '<a>&#x110000;</a>'],
  ['a control character in text', 'xml.character-forbidden', '<a>\u0001</a>'],
  ['a control character in a value', 'xml.character-forbidden', '<a b="\u0001"/>'],
  ['a control character in a comment', 'xml.character-forbidden', '<a><!--\u0000--></a>'],
  ['U+FFFF', 'xml.character-forbidden', '<a>\uffff</a>'],
  ['bytes that are no UTF-8', 'xml.encoding-broken', Buffer.from([0x3c, 0x61, 0x3e, 0xc3, 0x3c, 0x2f, 0x61, 0x3e])],
  ['bytes beyond the declared US-ASCII', 'xml.encoding-broken', '<?xml version="1.0" encoding="US-ASCII"?><a>é</a>'],
  ['an encoding we do not read', 'xml.encoding-unsupported', '<?xml version="1.0" encoding="EBCDIC-CP-BE"?><a/>'],
  ['UTF-16 declared on UTF-8 bytes', 'xml.encoding-contradicted', '<?xml version="1.0" encoding="UTF-16"?><a/>'],
  [
    'ISO-8859-1 behind the mark of UTF-8',
    'xml.encoding-contradicted',
    '\ufeff<?xml version="1.0" encoding="ISO-8859-1"?><a/>',
  ],
  [
    'the other order of UTF-16 than that of its mark',
    'xml.encoding-contradicted',
    Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-16BE"?><a/>', 'utf16le'),
  ],
  ['UTF-16 without its mark', 'xml.byte-order-mark-missing', Buffer.from('<?xml version="1.0"?><a/>', 'utf16le')],
  ['the same in the other order', 'xml.byte-order-mark-missing', Buffer.from('<a/>', 'utf16le').swap16()],
  [
    'a byte that windows-1252 does not have',
    'xml.encoding-broken',
    Buffer.from('<?xml version="1.0" encoding="windows-1252"?><a>\x81</a>', 'latin1'),
  ],
  [
    'ISO-8859-1 declared as UTF-8',
    'xml.encoding-broken',
    Buffer.from('<?xml version="1.0" encoding="UTF-8"?><a>São</a>', 'latin1'),
  ],
  ['half of a pair in UTF-16', 'xml.encoding-broken', Buffer.from('\ufeff<a>\ud83d</a>', 'utf16le')],
  ['U+FFFE in UTF-16', 'xml.character-forbidden', Buffer.from('\ufeff<a>\ufffe</a>', 'utf16le')],
  [
    'UTF-8 declared on UTF-16 bytes',
    'xml.encoding-contradicted',
    Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-8"?><a/>', 'utf16le'),
  ],
  ['half a character of UTF-16', 'xml.encoding-broken', Buffer.from([0xff, 0xfe, 0x3c])],
  ['half a character of UTF-16 in the other order', 'xml.encoding-broken', Buffer.from([0xfe, 0xff, 0, 0x3c, 0])],
  ['XML 1.1', 'xml.version-unsupported', '<?xml version="1.1"?><a/>'],
  ['XML 1.1 in ISO-8859-1', 'xml.version-unsupported', '<?xml version="1.1" encoding="ISO-8859-1"?><a/>'],
  ['a version that XML never had', 'xml.declaration-malformed', '<?xml version="2.0"?><a/>'],
  ['a declaration without version', 'xml.declaration-malformed', '<?xml encoding="UTF-8"?><a/>'],
  ['a declaration behind the start', 'xml.instruction-malformed', ' <?xml version="1.0"?><a/>'],
  ['an instruction without end', 'xml.instruction-malformed', '<a><?b </a>'],
  ['an instruction without name', 'xml.name-malformed', '<a><? b?></a>'],
  ['a comment with two hyphens', 'xml.comment-malformed', '<a><!-- b -- c --></a>'],
  ['a comment without end', 'xml.comment-malformed', '<a><!-- b </a>'],
  ['a CDATA section without end', 'xml.ended-early', '<a><![CDATA[b</a>'],
  ['a CDATA section outside the root', 'xml.markup-malformed', '<a/><![CDATA[b]]>'],
  ['the end of CDATA in text', 'xml.markup-malformed', '<a>]]></a>'],
  ['an element that never ends', 'xml.ended-early', '<a><b></b>'],
  ['a tag that never ends', 'xml.ended-early', '<a b="1"'],
  ['a value that never ends', 'xml.ended-early', '<a b="1'],
  ['crossing tags', 'xml.tag-mismatch', '<a><b></a></b>'],
  ['an end tag with a longer name', 'xml.tag-mismatch', '<a></ab>'],
  ['an end tag with attributes', 'xml.tag-malformed', '<a></a b="1">'],
  ['two roots', 'xml.text-misplaced', '<a/><b/>'],
  ['text before the root', 'xml.text-misplaced', 'x<a/>'],
  ['text behind the root', 'xml.text-misplaced', '<a/>x'],
  ['attributes without a gap', 'xml.tag-malformed', '<a b="1"c="2"/>'],
  ['an attribute without value', 'xml.tag-malformed', '<a b/>'],
  ['an attribute without quotes', 'xml.tag-malformed', '<a b=1/>'],
  ['less-than in a value', 'xml.tag-malformed', '<a b="<"/>'],
  ['the same attribute twice', 'xml.attribute-duplicate', '<a b="1" b="2"/>'],
  [
    'the same attribute under two prefixes',
    'xml.attribute-duplicate',
    '<a xmlns:p="urn:1" xmlns:q="urn:1" p:b="1" q:b="2"/>',
  ],
  ['the same declaration twice', 'xml.attribute-duplicate', '<a xmlns:p="urn:1" xmlns:p="urn:2"/>'],
  [
    'one twice among many attributes',
    'xml.attribute-duplicate',
    `<a ${Array.from({ length: 40 }, (_, at) => `b${at % 39}="1"`).join(' ')}/>`,
  ],
  ['an unbound prefix', 'xml.prefix-unbound', '<p:a/>'],
  ['an unbound prefix of an attribute', 'xml.prefix-unbound', '<a p:b="1"/>'],
  ['a prefix whose scope has ended', 'xml.prefix-unbound', '<a><b xmlns:p="urn:1"/><p:c/></a>'],
  ['a prefix undeclared', 'xml.namespace-reserved', '<a xmlns:p=""/>'],
  ['xml bound to another name', 'xml.namespace-reserved', '<a xmlns:xml="urn:1"/>'],
  [
    'another prefix bound to the xml namespace',
    'xml.namespace-reserved',
    '<a xmlns:p="http://www.w3.org/XML/1998/namespace"/>',
  ],
  ['xmlns bound', 'xml.namespace-reserved', '<a xmlns:xmlns="urn:1"/>'],
  ['a name that begins with a digit', 'xml.name-malformed', '<1a/>'],
  ['a name with two colons', 'xml.name-malformed', '<a:b:c/>'],
  ['a name without local part', 'xml.name-malformed', '<a:/>'],
  ['a name with a forbidden letter', 'xml.name-malformed', '<a×b/>'],
  ['more bytes than allowed', 'xml.too-large', '<abc/>', { bytes: 5 }],
  ['deeper nesting than allowed', 'xml.too-deep', '<a><b><c/></b></a>', { depth: 2 }],
  ['deeper nesting than allowed by default', 'xml.too-deep', '<a>'.repeat(300) + '</a>'.repeat(300)],
  ['more nodes than allowed', 'xml.too-many-nodes', '<a><b c="1"/><!--d--></a>', { nodes: 3 }],
  ['more attributes than allowed', 'xml.too-many-attributes', '<a b="1" c="2"/>', { attributes: 1 }],
]

describe('the scanner', () => {
  for (const [why, code, xml, limits] of refused)
    test(`refuses ${why}`, () => {
      assert.throws(() => scanXml(typeof xml === 'string' ? bytes(xml) : xml, limits), { name: 'EngineError', code })
    })

  test('accepts nothing that libxml2 calls ill-formed, and answers any bytes with an index or a named error', () => {
    const sample = bytes(
      '<?xml version="1.0"?><!--c--><p:a xmlns:p="urn:p" b=\'1\' p:c="&lt;"><d/>x&#65;<![CDATA[y]]><?z z?></p:a>',
    )
    const mutation = fc.tuple(fc.nat(sample.length - 1), fc.constantFrom(...bytes('<>&;"\' /!?-[]=:ax\r\n\0\x80\xff')))
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
        const mutated = Buffer.from(sample)
        for (const [at, byte] of mutations) mutated[at] = byte
        let ours: unknown
        try {
          ours = scanXml(mutated)
        } catch (error) {
          assert.ok(error instanceof EngineError, String(error))
        }
        if (ours !== undefined && !/xmlns:?\w*="urn:p"/.test(mutated.toString())) return
        if (ours !== undefined) XmlDocument.fromBuffer(mutated).dispose()
      }),
      { numRuns: 3000 },
    )
  })

  test('answers truncation at every byte with a named error', () => {
    const sample = bytes('<?xml version="1.0"?><a b="é" c=\'&#x41;\'><!-- d --><e/>f<![CDATA[g]]><?h i?></a>')
    for (let length = 0; length < sample.length; length++)
      assert.throws(() => scanXml(sample.subarray(0, length)), EngineError)
  })

  test('reads structure, names, values and text', () => {
    const index = scanXml(
      bytes(
        '<r xmlns="urn:d" xmlns:p="urn:p"><p:a Id="x" p:Id="y">one<!--c-->&amp;<![CDATA[<two>\r\n]]></p:a><b xml:id="z"><c/></b></r>',
      ),
    )
    assert.deepEqual(index.children(0), [1, 2])
    assert.equal(index.localName(1), 'a')
    assert.equal(index.namespaceName(1), 'urn:p')
    assert.equal(index.attribute(1, 'Id'), 'x')
    assert.equal(index.attribute(1, 'Id', 'urn:p'), 'y')
    assert.equal(index.text(1), 'one&<two>\n')
    assert.equal(index.text(2), undefined)
    assert.equal(index.elementById('x'), 1)
    assert.equal(index.elementById('z'), 2)
    assert.throws(() => index.elementById('y'), { code: 'xml.id-unknown' })
    assert.deepEqual(index.findAll('urn:d', 'c'), [3])
    assert.equal(index.path(3), '/r/b/c')
    assert.equal(index.hasStrayText(1), true)
    assert.equal(index.hasStrayText(0), false)
    assert.deepEqual(
      [...index.namespacesInScope(3)],
      [
        ['', 'urn:d'],
        ['p', 'urn:p'],
      ],
    )
  })

  test('refuses an Id that two elements have, however they spell the attribute', () => {
    for (const [one, two] of [
      ['Id', 'Id'],
      ['Id', 'ID'],
      ['id', 'xml:id'],
    ])
      assert.throws(() => scanXml(bytes(`<r><a ${one}="x"/><b ${two}="x"/></r>`)).elementById('x'), {
        code: 'xml.id-duplicate',
      })
  })
})

// One scanner and one set of tables are reused for all documents: none may find traces of another.
describe('one document after the other', () => {
  const form = { family: 'exclusive', withComments: true } as const
  const documents = [
    '<a/>',
    '<p:a xmlns:p="urn:p" p:b="1" c="2"><p:b>one &gt; two</p:b></p:a>',
    '<q:a xmlns:q="urn:q" q:b="1" c="2"><q:b>one &gt; two</q:b></q:a>',
    `<r xmlns="urn:d">${'<item n="1"><code/>\r\n<!--c--></item>'.repeat(500)}</r>`,
    '<r xmlns:p="urn:one"><p:x/></r>',
    '<r xmlns:p="urn:two"><p:x/></r>',
  ].map(bytes)
  const expected = documents.map((document) => {
    const parsed = XmlDocument.fromBuffer(document)
    try {
      return parsed.canonicalizeToString({ mode: XmlC14NMode.XML_C14N_EXCLUSIVE_1_0, withComments: true })
    } finally {
      parsed.dispose()
    }
  })
  const canonical = (index: XmlIndex) => canonicalBytes(index, form).toString('utf8')

  test('indexes that live at the same time are independent', () => {
    const indexes = documents.map((document) => scanXml(document))
    assert.deepEqual(indexes.map(canonical), expected)
  })

  test('tables that were given back serve any other document', () => {
    for (let first = 0; first < documents.length; first++)
      for (let second = 0; second < documents.length; second++) {
        scanXml(documents[first]!).release()
        const index = scanXml(documents[second]!)
        assert.equal(canonical(index), expected[second])
        index.release()
      }
  })

  test('an index given back twice gives its tables away once, and reads nobody else’s', () => {
    const released = scanXml(documents[1]!)
    released.release()
    released.release()
    const [one, two] = [scanXml(documents[2]!), scanXml(documents[4]!)]
    assert.deepEqual([canonical(one), canonical(two)], [expected[2], expected[4]])
    assert.equal(released.tables.elementCount, 0)
    assert.deepEqual(released.findAll('urn:q', 'a'), [])
  })

  test('a refused document leaves nothing behind', () => {
    for (const broken of ['<p:a xmlns:p="urn:x" p:b="1"', '<a><q:b/></a>', '<a p:b="1"/>', '<a b="1" b="2"/>']) {
      assert.throws(() => scanXml(bytes(broken)), EngineError)
      documents.forEach((document, at) => {
        assert.equal(canonical(scanXml(document)), expected[at])
      })
    }
  })

  test('names that begin alike, or continue another, are told apart', () => {
    const names = ['item', 'items', 'item-1', 'itemé', 'it', 'ite', 'x:item', 'x:items', 'y:item', 'xitem']
    const elements = names.map((name) => `<${name} ${name}="1" ${name}s="2">${name}</${name}>`).join('')
    const index = scanXml(bytes(`<r xmlns:x="urn:x" xmlns:y="urn:y">${elements.repeat(3)}</r>`))
    const found = index.children(0).map((element) => [index.text(element), index.path(element).split(/[/[]/)[2]])
    assert.deepEqual(
      found,
      [...names, ...names, ...names].map((name) => [name, name]),
    )
    assert.equal(index.findAll('urn:y', 'item').length, 3)
    assert.throws(() => scanXml(bytes('<r><item>1</item><item>2</items></r>')), { code: 'xml.tag-mismatch' })
  })
})

describe('selection by XPath', () => {
  const index = scanXml(bytes('<r xmlns:p="urn:p"><a/><p:b><c n="1"/><c n="2"/></p:b></r>'))

  test('finds the element by its place in the document', async () => {
    assert.equal(await selectByXPath(index, '/r/q:b/c[@n="2"]', { q: 'urn:p' }), 4)
    assert.equal(await selectByXPath(index, '/r'), 0)
  })

  test('refuses what selects no element, several, or something else', async () => {
    for (const [expression, code] of [
      ['//absent', 'xml.xpath-not-one-element'],
      ['//c', 'xml.xpath-not-one-element'],
      ['//c[1]/@n', 'xml.xpath-not-one-element'],
      ['///', 'xml.xpath-malformed'],
      ['//x:c', 'xml.xpath-malformed'],
    ] as const)
      await assert.rejects(selectByXPath(index, expression), { name: 'EngineError', code })
  })
})
