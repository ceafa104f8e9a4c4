import { expect, test } from 'vitest'
import { tellEntry } from './timeline-entry.ts'

const ana = { id: '1', name: 'Ana', type: 'Participant' }
const erp = { id: '2', name: 'erp', type: 'Application' }
const action = { flowActionId: 'a', detail: null }

test('a participant acts alone, and refuses for a reason', () => {
  expect(tellEntry({ ...action, type: 'Approved', agent: ana })).toEqual({ by: 'Ana' })
  const detail = 'Not this: the other one'
  expect(tellEntry({ ...action, type: 'Refused', agent: ana, detail })).toEqual({ by: 'Ana', detail })
})

test('who acts for a participant is told apart from the participant', () => {
  const told = { by: 'erp', participant: 'Ana' }
  expect(tellEntry({ ...action, type: 'Approved', agent: erp, detail: 'Ana' })).toEqual(told)
  expect(tellEntry({ ...action, type: 'Refused', agent: erp, detail: 'Ana: too late: really' })).toEqual({
    ...told,
    detail: 'too late: really',
  })
})

test('a refusal of the organization itself is for nobody', () => {
  const detail = 'Ana: left'
  expect(tellEntry({ type: 'Refused', agent: erp, flowActionId: null, detail })).toEqual({ by: 'erp', detail })
})

test('the address of an action is given to somebody for a participant', () => {
  for (const type of ['ActionUrlCreated', 'ActionUrlRevoked'])
    expect(tellEntry({ ...action, type, agent: erp, detail: 'Ana' })).toEqual({
      by: 'erp',
      participant: 'Ana',
    })
})

test('what the service did by itself is told without anybody', () => {
  expect(tellEntry({ type: 'Concluded', agent: null, flowActionId: null, detail: null })).toEqual({})
})
