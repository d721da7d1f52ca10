import manifest from '../../package.json' with { type: 'json' }

/** Version of the service, its API description and its client; `scripts/set-version.ts` changes it. */
export const VERSION: string = manifest.version
