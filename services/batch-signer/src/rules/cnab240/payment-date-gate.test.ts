import { describe, expect, test } from 'vitest'
import { paymentDateGate, todayIn } from './payment-date-gate.ts'

describe('the payment-date gate', () => {
  const gate = (earliestPaymentDate: string | null) => paymentDateGate({ earliestPaymentDate }, { today: '2030-01-15' })

  test('passes a file payable today or later', () => {
    expect(gate('2030-01-15').passed).toBe(true)
    expect(gate('2031-01-01').passed).toBe(true)
  })

  test('refuses a file whose earliest payment date has passed, naming both dates', () => {
    expect(gate('2030-01-14')).toEqual({ passed: false, dates: { earliest: '14/01/2030', today: '15/01/2030' } })
  })

  test('passes a file without dates', () => {
    expect(gate(null).passed).toBe(true)
  })
})

describe('today', () => {
  test('changes at local midnight, not at midnight in Greenwich', () => {
    expect(todayIn('America/Sao_Paulo', new Date('2030-01-16T02:59:59.999Z'))).toBe('2030-01-15')
    expect(todayIn('America/Sao_Paulo', new Date('2030-01-16T03:00:00.000Z'))).toBe('2030-01-16')
    expect(todayIn('UTC', new Date('2030-01-16T02:59:59.999Z'))).toBe('2030-01-16')
  })

  test('follows the zone’s own summer time', () => {
    // Brazil kept summer time until 2019: on this day midnight in São Paulo was 02:00 in Greenwich.
    expect(todayIn('America/Sao_Paulo', new Date('2019-01-16T01:59:59Z'))).toBe('2019-01-15')
    expect(todayIn('America/Sao_Paulo', new Date('2019-01-16T02:00:00Z'))).toBe('2019-01-16')
  })

  test('a file payable today still passes at 23:59 in São Paulo, when a host on UTC is a day ahead', () => {
    const late = new Date('2030-01-16T02:59:00Z')
    const summary = { earliestPaymentDate: '2030-01-15' }
    expect(paymentDateGate(summary, { today: todayIn('America/Sao_Paulo', late) }).passed).toBe(true)
    expect(paymentDateGate(summary, { today: todayIn('UTC', late) }).passed).toBe(false)
  })
})
