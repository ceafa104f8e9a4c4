import type { WalkView } from '@chancela/demo/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'

const LOOK_EVERY_MS = 2000

/** A walk, polled every few seconds until it has ended. */
export function useWalk(id: string) {
  return useQuery({
    queryKey: ['walk', id],
    queryFn: ({ signal }) =>
      call<WalkView>('GET', `api/walks/${encodeURIComponent(id)}`, { signal, timeoutSeconds: 60 }),
    refetchInterval: ({ state: { data, error } }) => (error || (data && !isOpen(data)) ? false : LOOK_EVERY_MS),
  })
}

/** Whether anything can still happen. */
const isOpen = ({ status }: WalkView): boolean => status === 'Pending' || status === 'FlowConcluded'
