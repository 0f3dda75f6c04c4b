// Loaded before a program that has Google's address built in: its connections go to the server at PORT instead.
import https from "node:https";
import { connect } from "node:net";
import process from "node:process";

https.globalAgent.createConnection = () => connect(Number(process.env.PORT), "127.0.0.1");
