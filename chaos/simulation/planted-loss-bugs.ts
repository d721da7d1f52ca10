import { createSecretKey } from 'node:crypto'
import { deriveKeyring } from '../../src/lib/crypto/keyring.ts'
import type { PlantedBug } from './planted-bugs.ts'

/** Bugs of the time after lost commits, and of the mark of sending. */
export const PLANTED_LOSS_BUGS: readonly PlantedBug[] = [
  {
    name: 'references are random',
    needsLoss: true,
    breaks: ['double', 'orphan'],
    plant: ({ ids }) => {
      const keyring = deriveKeyring([{ id: 'k', key: Buffer.alloc(32) }], 'references')
      return {
        referenceKeys: {
          ...keyring,
          get current() {
            return { ...keyring.current, secret: createSecretKey(Buffer.from(ids.prefixed('random'))) }
          },
        },
      }
    },
  },
  {
    name: 'no booking is looked up after a loss',
    needsLoss: true,
    breaks: ['double'],
    plant: ({ history }) => ({
      history: { ...history, read: async () => ({ ...(await history.read()), isBehind: false }) },
    }),
  },
  {
    name: 'the mark of sending is stored after the answer',
    breaks: ['lost'],
    plant: ({ vendor }) => ({
      vendor: {
        ...vendor,
        async book(order, { beforeSend, ...context }) {
          const receipt = await vendor.book(order, context)
          await beforeSend?.()
          return receipt
        },
      },
    }),
  },
]
