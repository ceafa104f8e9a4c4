// Persons with biometric data, without a camera: rows as an enrollment leaves them.
import { bioSeal } from '../../src/store/bio/sealed.ts'
import type { CoreWorld } from './core-world.ts'

/** Enrolls somebody by the session that did it; the picture of the session is still there. */
export async function enrolled(world: CoreWorld, subscriptionId: string, identifier: string) {
  const { store, clock, context } = world
  const [id, sessionId] = [crypto.randomUUID(), crypto.randomUUID()]
  const now = clock().toISOString()
  const consent = JSON.stringify({ date: now, textVersion: '2026-1', address: '192.0.2.7' })
  const sealed = (table: string, of: string, column: string) =>
    context.secrets.seal(Buffer.from('a face'), bioSeal(table, { id: of, subscription_id: subscriptionId }, column))
  await store.db
    .insertInto('bio_subject')
    .values({
      id,
      subscription_id: subscriptionId,
      identifier,
      face_id: crypto.randomUUID(),
      engine: 'chancela-mesh-1',
      template: sealed('bio_subject', id, 'template'),
      face_image: sealed('bio_subject', id, 'face_image'),
      consent,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    })
    .execute()
  await store.db
    .insertInto('bio_session')
    .values({
      id: sessionId,
      subscription_id: subscriptionId,
      application_id: world.client.applicationId,
      application: 'app',
      type: 'Enrollment',
      state: 'Succeeded',
      failure: null,
      token_hash: crypto.randomUUID(),
      ticket_hash: crypto.randomUUID(),
      completed_at: null,
      subject_identifier: identifier,
      subject_id: id,
      overrides: 0,
      trusted_origin: null,
      return_url: 'https://app.example/back',
      consent,
      attempts: 1,
      frame: 9,
      capture: null,
      face_image: sealed('bio_session', sessionId, 'face_image'),
      created_at: now,
      expires_at: now,
      ended_at: now,
    })
    .execute()
  return { id, sessionId }
}
