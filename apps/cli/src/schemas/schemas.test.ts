import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate } from '@chancela/academic-documents/layouts'
import { sampleDegree } from '@chancela/academic-documents/samples'
import { schemaFiles } from '@chancela/academic-documents/schemas'
import { temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { cli } from '../signatures/test-support/run-cli.ts'

const made = generate('degree', sampleDegree(), { placeholderSignatures: true })
const degree = made.valid ? made.bytes : Buffer.alloc(0)

/** A schema of our own under the official names: it accepts any document whose root has the right name. */
function stand(folder: string, root = 'Diploma'): void {
  const namespace = 'https://portal.mec.gov.br/diplomadigital/arquivos-em-xsd'
  const schema = (content: string) =>
    `<xs:schema xmlns:xs="https://www.w3.org/2001/XMLSchema" xmlns="${namespace}" targetNamespace="${namespace}">${content}</xs:schema>`
  const open = `<xs:element name="${root}"><xs:complexType><xs:sequence><xs:any minOccurs="0" maxOccurs="unbounded" processContents="skip"/></xs:sequence></xs:complexType></xs:element>`
  for (const name of schemaFiles('1.05'))
    writeFileSync(
      join(folder, name),
      name.startsWith('leiaute')
        ? schema(open)
        : schema('<xs:include schemaLocation="leiauteDiplomaDigital_v1.05.xsd"/>'),
    )
}

describe('chancela schemas', () => {
  test('check tells what is wrong with a document, by our tables', async () => {
    const folder = temporaryFolder()
    const [good, bad, data] = [join(folder, 'good.xml'), join(folder, 'bad.xml'), join(folder, 'data')]
    writeFileSync(good, degree)
    writeFileSync(bad, degree.toString('utf8').replace('<Sexo>F</Sexo>', '<Sexo>X</Sexo>'))
    const valid = await cli(['schemas', 'check', good, '--data', data])
    expect(valid).toMatchObject({ code: 0, err: '' })
    expect(valid.out).toContain('degree 1.05')
    const invalid = await cli(['schemas', 'check', good, bad, '--data', data, '--json'])
    expect(invalid.code).toBe(1)
    expect(JSON.parse(invalid.out)).toMatchObject([
      { tables: { valid: true } },
      {
        tables: {
          valid: false,
          problems: [{ code: 'value-not-listed', path: '/Diploma/infDiploma/DadosDiploma/Diplomado/Sexo' }],
        },
      },
    ])
  })

  test('check lets signatures be absent before signing', async () => {
    const folder = temporaryFolder()
    const unsigned = generate('degree', sampleDegree())
    writeFileSync(join(folder, 'a.xml'), unsigned.valid ? unsigned.bytes : '')
    expect((await cli(['schemas', 'check', folder, '--data', folder])).code).toBe(1)
    expect((await cli(['schemas', 'check', folder, '--data', folder, '--before-signing'])).code).toBe(0)
  })

  test('import takes in a complete set, and check then gives a second verdict', async () => {
    const folder = temporaryFolder()
    const [official, data] = [join(folder, 'official'), join(folder, 'data')]
    mkdirSync(official)
    stand(official)
    expect((await cli(['schemas', 'list', '--data', data])).out).toContain('not added')
    expect(await cli(['schemas', 'import', official, '--data', data])).toMatchObject({ code: 0 })
    expect(JSON.parse((await cli(['schemas', 'list', '--data', data, '--json'])).out)).toMatchObject([
      { version: '1.02', added: false },
      { version: '1.05', added: true },
    ])
    writeFileSync(join(folder, 'a.xml'), degree)
    const checked = await cli(['schemas', 'check', join(folder, 'a.xml'), '--data', data, '--json'])
    expect(JSON.parse(checked.out)).toMatchObject([{ schemas: { valid: true, messages: [] } }])
    stand(official, 'Outro')
    await cli(['schemas', 'import', official, '--data', data])
    const refused = await cli(['schemas', 'check', join(folder, 'a.xml'), '--data', data])
    expect(refused.code).toBe(1)
    expect(refused.out).toContain('official schemas: INVALID')
  })

  test('an import that was killed leaves the old files or the new ones, and the next clears up', async () => {
    const folder = temporaryFolder()
    const [official, data, document] = [join(folder, 'official'), join(folder, 'data'), join(folder, 'a.xml')]
    const kept = join(data, 'schemas')
    mkdirSync(official)
    stand(official, 'Outro')
    writeFileSync(document, degree)
    const imports = () => cli(['schemas', 'import', official, '--data', data])
    const verdict = async () => {
      const { out } = await cli(['schemas', 'check', document, '--data', data, '--json'])
      return JSON.parse(out)[0].schemas?.valid
    }
    await imports()
    expect(await verdict()).toBe(false)
    // Killed while it wrote the new files.
    cpSync(official, join(kept, '1.05.new-4711'), { recursive: true })
    rmSync(join(kept, '1.05.new-4711', schemaFiles('1.05')[0]!))
    expect(await verdict()).toBe(false)
    // Killed after it put the old files aside.
    renameSync(join(kept, '1.05'), join(kept, '1.05.before'))
    expect(await verdict()).toBe(false)
    // A set that is refused changes nothing, and loses nothing.
    writeFileSync(join(official, schemaFiles('1.05')[0]!), 'no schema')
    expect((await imports()).code).not.toBe(0)
    expect(await verdict()).toBe(false)
    stand(official)
    expect((await imports()).code).toBe(0)
    expect(await verdict()).toBe(true)
    expect(readdirSync(kept)).toEqual(['1.05'])
    // Killed before it removed the old files.
    cpSync(join(kept, '1.05'), join(kept, '1.05.before'), { recursive: true })
    expect((await imports()).code).toBe(0)
    expect([await verdict(), readdirSync(kept)]).toEqual([true, ['1.05']])
  })

  test('import refuses what is incomplete or no schema, and changes nothing', async () => {
    const folder = temporaryFolder()
    const [official, data] = [join(folder, 'official'), join(folder, 'data')]
    mkdirSync(official)
    expect((await cli(['schemas', 'import', official, '--data', data])).err).toContain('no schema files')
    expect((await cli(['schemas', 'import', join(folder, 'none'), '--data', data])).code).toBe(1)
    stand(official)
    writeFileSync(join(official, 'leiauteDiplomaDigital_v1.05.xsd'), '<no-schema/>')
    expect(await cli(['schemas', 'import', official, '--data', data])).toMatchObject({ code: 1 })
    const [first] = schemaFiles('1.05')
    writeFileSync(join(official, first!), '')
    expect((await cli(['schemas', 'import', official, '--data', data])).code).toBe(1)
    expect((await cli(['schemas', 'list', '--data', data])).out).not.toMatch(/(?<!not) added/)
  })
})
