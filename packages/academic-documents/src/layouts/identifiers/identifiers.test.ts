import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { degreeIds, isNonce, newNonce, nonceOf } from './nonce.ts'
import { codePatterns, degreeCode, institutionCode, uniqueUrl } from './verification-codes.ts'

describe('the number of a degree', () => {
  test('has 44 digits, all equally likely, and is never the same', () => {
    const nonces = Array.from({ length: 2000 }, () => newNonce())
    expect(new Set(nonces).size).toBe(2000)
    expect(nonces.every(isNonce)).toBe(true)
    const counts = Array.from({ length: 10 }, (_, digit) => nonces.join('').split(String(digit)).length - 1)
    for (const count of counts) expect(Math.abs(count - 8800)).toBeLessThan(600)
  })

  test('bytes that would favour small digits are passed over', () => {
    let calls = 0
    const source = (size: number) => (calls++ === 0 ? new Uint8Array(size).fill(255) : randomBytes(size))
    expect(isNonce(newNonce(source))).toBe(true)
    expect(calls).toBeGreaterThan(1)
  })

  test('is in the four ids of its documents', () => {
    const nonce = '1'.repeat(44)
    const ids = degreeIds(nonce)
    expect(ids).toEqual({
      infDiploma: `VDip${nonce}`,
      dadosDiploma: `Dip${nonce}`,
      dadosRegistro: `RDip${nonce}`,
      documentacaoAcademica: `ReqDip${nonce}`,
    })
    expect(Object.values(ids).map(nonceOf)).toEqual([nonce, nonce, nonce, nonce])
    expect(() => degreeIds('1'.repeat(43))).toThrow(TypeError)
    expect(nonceOf('Dip1')).toBeUndefined()
  })
})

describe('verification codes', () => {
  const ingredients = { matricula: '1', cpf: '52998224725', curso: '9', cnpjEmissora: '1', nonce: '7'.repeat(44) }

  test('begin with the institutions and look as the layouts want', async () => {
    const code = await degreeCode('12', '34', ingredients)
    expect(code).toMatch(codePatterns.degree)
    expect(code.startsWith('12.34.')).toBe(true)
    expect(await institutionCode('12', ingredients)).toMatch(codePatterns.academicTranscript)
  })

  test('follow from what they are made of, each part counting by itself', async () => {
    expect(await degreeCode('1', '2', ingredients)).toBe(await degreeCode('1', '2', { ...ingredients }))
    const others = [
      { ...ingredients, nonce: '8'.repeat(44) },
      { ...ingredients, matricula: '1|52998224725', cpf: '' },
      { ...ingredients, livro: '1' },
    ]
    const codes = await Promise.all([ingredients, ...others].map((some) => degreeCode('1', '2', some)))
    expect(new Set(codes).size).toBe(4)
  })

  test('grow by four digits while they are taken', async () => {
    const tried: string[] = []
    const code = await degreeCode('1', '2', ingredients, async (candidate) => tried.push(candidate) < 3)
    expect(tried.map((candidate) => candidate.split('.')[2]!.length)).toEqual([12, 16, 20])
    expect(code).toBe(tried[2])
    await expect(degreeCode('1', '2', ingredients, () => true)).rejects.toThrow()
  })

  test('make an address that the layouts can hold, or none', () => {
    expect(uniqueUrl('https://d.example/v/', '1.2.0a')).toBe('https://d.example/v/1.2.0a')
    expect(uniqueUrl('http://d.example', '1.2.0a')).toBeUndefined()
    expect(uniqueUrl(`https://d.example/${'x'.repeat(240)}`, '1.2.0a')).toBeUndefined()
    expect(uniqueUrl('https://d.example:x', '1.2.0a')).toBeUndefined()
  })
})
