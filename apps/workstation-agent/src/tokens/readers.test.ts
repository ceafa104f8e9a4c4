import { expect, test } from 'vitest'
import { atrIn, readersInCertutil, readerTable } from './readers.ts'

/** What opensc-tool 0.23 printed on a machine with two readers and one card. */
const listed = `# Detected readers (pcsc)
Nr.  Card  Features  Name
0    Yes             Virtual PCD 00 00
1    No    PIN pad   Virtual PCD 00 01
`

test('readers and their cards are read from what OpenSC’s tool prints', () => {
  expect(readerTable(listed)).toEqual([
    { number: '0', name: 'Virtual PCD 00 00', hasCard: true },
    { number: '1', name: 'Virtual PCD 00 01', hasCard: false },
  ])
  expect(readerTable('No smart card readers found.\n')).toEqual([])
  expect(atrIn('3b:ff:96:00:00:81:31:fe:43\n')).toBe('3BFF9600008131FE43')
  expect(atrIn('Card not present.\n')).toBeUndefined()
})

test('readers and their cards are read from what Windows prints, in its language', () => {
  const printed = `O Gerenciador de Recursos do Cartao Inteligente esta em execucao.
Status atual do leitor/cartao:
Leitores: 2
  0: AKS ifdh 0
  1: AKS ifdh 00
--- Leitor: AKS ifdh 0
--- Status: SCARD_STATE_EMPTY
--- Status: Nenhum cartao.
--- Leitor: AKS ifdh 00
--- Status: SCARD_STATE_PRESENT
--- Status: O cartao esta disponivel para uso.
---   Cartao: eToken
---    ATR:
        3b ff 96 00 00 81 31 fe  43 80 31 80 65 b0 85 59   ;.....1.C.1.e..Y
        56 fb 12 0f fe 82 90 00  00                        V........

=======================================================
Analisando o cartao no leitor: AKS ifdh 00
`
  expect(readersInCertutil(printed.replaceAll('\n', '\r\n'))).toEqual([
    { name: 'AKS ifdh 0', atr: undefined },
    { name: 'AKS ifdh 00', atr: '3BFF9600008131FE4380318065B0855956FB120FFE82900000' },
  ])
  expect(readersInCertutil('')).toEqual([])
})
