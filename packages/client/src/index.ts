export type { AttemptRequest, AttemptResponse, ClientOptions, Retry, TokenCall } from './client-options.ts'
export { type Client, createClient, type VoucherType } from './create-client.ts'
export type * from './generated/api-types.ts'
export type { CallOptions, Simulation } from './methods.ts'
export type { SearchEvent } from './search-stream.ts'
export { type ClientCode, type Effect, SeraiError, type SeraiErrorCode } from './serai-error.ts'
export { type Credentials, signInWith } from './sign-in.ts'
export {
  signWebhook,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
  type WebhookToVerify,
} from './webhooks/verify-webhook.ts'
