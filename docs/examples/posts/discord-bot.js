import { Client, Events, GatewayIntentBits, Partials } from "discord.js";
import { refusalOf, stop as stopUpdates } from "./check-links.js";

const { DISCORD_TOKEN: token, DISCORD_API: api = "https://discord.com/api" } = process.env;
const { Guilds, GuildMessages, MessageContent } = GatewayIntentBits;
const bot = new Client({
  intents: [Guilds, GuildMessages, MessageContent],
  partials: [Partials.Message], // so that it also sees edits of old messages
  allowedMentions: { parse: [] },
  rest: { api },
});

/**
 * Deletes a message with a listed link, and says why. Replies with a warning to a message that could not be checked.
 */
async function check(message) {
  // Skips the bot's own messages, in which defanged links would be found, too.
  if (message.author.id === bot.user.id) return;
  const texts = [message, ...message.messageSnapshots.values()].map(({ content }) => content ?? "");
  const refusal = await refusalOf(texts.join("\n"));
  if (refusal === null) return;
  if (refusal.status === 503) {
    await message.reply("The links in this message could not be checked. Do not open them.");
    return;
  }
  await message.delete();
  const links = refusal.body.links.map(
    ({ link, list, reason }) => `\`${link}\` (${list ?? reason})`,
  );
  const text = `Deleted a message by ${message.author}: ${links.join(", ")}`;
  await message.channel.send(text.slice(0, 2000)); // Discord refuses longer messages
}

bot.on(Events.MessageCreate, check);
bot.on(Events.MessageUpdate, (_, message) => check(message));
bot.on(Events.Error, console.error);
await bot.login(token);

export async function stop() {
  await bot.destroy();
  await stopUpdates();
}
