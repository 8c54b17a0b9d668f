BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE branch (
	id VARCHAR NOT NULL, 
	space VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	start VARCHAR, 
	head VARCHAR, 
	disposition VARCHAR NOT NULL, 
	position INTEGER NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (space, name)
);
INSERT INTO "branch" VALUES('3ee792ad-35a3-4d15-8978-826d48a99a46','59b1f1bb-e2fc-4939-94f9-a6dafc279931','main',NULL,'fab3351f8234cf28928a1c33aad86ab133d73e0f70e37d6bb70f614b330d4ebd','active',3);
CREATE TABLE checkpoint (
	id VARCHAR NOT NULL, 
	space VARCHAR NOT NULL, 
	branch VARCHAR NOT NULL, 
	title VARCHAR NOT NULL, 
	author VARCHAR NOT NULL, 
	created_at VARCHAR NOT NULL, 
	first_parent VARCHAR, 
	source_session VARCHAR, 
	source_line INTEGER, 
	source_first INTEGER, 
	source_last INTEGER, 
	decisions INTEGER NOT NULL, 
	assumptions INTEGER NOT NULL, 
	tasks INTEGER NOT NULL, 
	open_tasks INTEGER NOT NULL, 
	open_questions INTEGER NOT NULL, 
	artifacts INTEGER NOT NULL, 
	body VARCHAR NOT NULL, 
	position INTEGER NOT NULL, 
	deleted BOOLEAN NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "checkpoint" VALUES('fab3351f8234cf28928a1c33aad86ab133d73e0f70e37d6bb70f614b330d4ebd','59b1f1bb-e2fc-4939-94f9-a6dafc279931','3ee792ad-35a3-4d15-8978-826d48a99a46','first','ada','2026-03-02T14:00:08.000000Z',NULL,'5af46f85-f3e4-4557-8468-3906e580be00',1,1,2,1,0,0,0,0,0,'{"artifacts":[],"assumptions":[],"author":"ada","created_at":"2026-03-02T14:00:08.000000Z","decisions":[{"evidence":[],"reason":null,"rests_on":[],"retired_by":null,"state":"live","text":"keep it","uid":"d5a6e625-70f4-4f3f-b0b6-6f13415810d5"}],"draft_request":null,"entities":[],"git":null,"objective":"","open_questions":[],"parents":[],"project_root":null,"source":{"first":1,"last":2,"line":1,"session":"5af46f85-f3e4-4557-8468-3906e580be00"},"space":"59b1f1bb-e2fc-4939-94f9-a6dafc279931","summary":"","tasks":[],"title":"first"}',9,0);
CREATE TABLE checkpoint_parent (
	checkpoint VARCHAR NOT NULL, 
	rank INTEGER NOT NULL, 
	parent VARCHAR NOT NULL, 
	PRIMARY KEY (checkpoint, rank)
);
CREATE TABLE event (
	position INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	event_id VARCHAR NOT NULL, 
	origin VARCHAR NOT NULL, 
	stream VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	type VARCHAR NOT NULL, 
	schema_version INTEGER NOT NULL, 
	payload VARCHAR NOT NULL, 
	actor VARCHAR NOT NULL, 
	door VARCHAR NOT NULL, 
	recorded_at VARCHAR NOT NULL, 
	correlation_id VARCHAR NOT NULL, 
	causation_id VARCHAR, 
	payload_sha256 VARCHAR NOT NULL, 
	chain_sha256 VARCHAR NOT NULL, 
	UNIQUE (event_id), 
	UNIQUE (stream, version)
);
INSERT INTO "event" VALUES(1,'01a22e94-5e01-7c78-a187-50170915e928','4708713d-f360-444a-9bd7-9e8cb68803d9','store',1,'store.created',1,'{"origin":"4708713d-f360-444a-9bd7-9e8cb68803d9"}','smriti','system','2026-03-02T14:00:00.000000Z','01a22e94-5e01-74d9-9f4c-ee5c7d58f916',NULL,'b461da04ba5e91b245945d2aa74665c3be9a850752afee76909cdc08f004ff31','b2dad632a88693bc88325a50e39bdcfde4eeb3710eb50410f12cbe6c86e9e912');
INSERT INTO "event" VALUES(2,'01a22e94-5e01-757f-b0c1-49e2868c8d71','4708713d-f360-444a-9bd7-9e8cb68803d9','space/59b1f1bb-e2fc-4939-94f9-a6dafc279931',1,'space.created',1,'{"description":"a Space of the first version","name":"alpha","project_root":null}','ada','tui','2026-03-02T14:00:01.000000Z','01a22e94-5d83-7c77-b5f1-f56e5901607b',NULL,'32a0862a300a53fa0b21b8c327a1eb3965d99717b90924d746b476c382f43485','5e37215fe5d6dd68eba10ff9d0cca4256527d7b7e17f05671b45d237145b4922');
INSERT INTO "event" VALUES(3,'01a22e94-5e02-76a0-b860-6484909894b9','4708713d-f360-444a-9bd7-9e8cb68803d9','space/59b1f1bb-e2fc-4939-94f9-a6dafc279931',2,'branch.opened',1,'{"branch":"3ee792ad-35a3-4d15-8978-826d48a99a46","name":"main","start":null}','ada','tui','2026-03-02T14:00:02.000000Z','01a22e94-5d83-7c77-b5f1-f56e5901607b',NULL,'ffb3802e1f4c7d39ee829d9f2f1751c470dfb076c0759b7a07d262e86ad62b85','afd45d2a48dca578038c0bc6783b0553d48effa0b962becc7ca6c98d8f0dfe4c');
INSERT INTO "event" VALUES(4,'01a22e94-5e12-7cfe-823b-f0f94eba90b8','4708713d-f360-444a-9bd7-9e8cb68803d9','session/5af46f85-f3e4-4557-8468-3906e580be00',1,'session.opened',1,'{"branch":"3ee792ad-35a3-4d15-8978-826d48a99a46","fork_checkpoint":null,"fork_session":null,"fork_turn":null,"space":"59b1f1bb-e2fc-4939-94f9-a6dafc279931","title":"one"}','ada','tui','2026-03-02T14:00:03.000000Z','01a22e94-5e10-736f-970c-5354ef151ac7',NULL,'d72d1181c343691e45263c3d787082b76181997dd3b67d6540ef3a5aa2a56a0b','f9b5639078d887305ba8019d9a73b8d38f849ce47be4ebc6bb7f1db7e316ec5c');
INSERT INTO "event" VALUES(5,'01a22e94-5e23-7c03-ad6d-d216020a67b4','4708713d-f360-444a-9bd7-9e8cb68803d9','session/5af46f85-f3e4-4557-8468-3906e580be00',2,'turn.added',1,'{"content":"hello","copied_from":null,"line":1,"model":null,"question":null,"role":"user","sequence_number":1,"text":"hello"}','ada','tui','2026-03-02T14:00:04.000000Z','01a22e94-5e23-73cd-975b-e617e523a60b',NULL,'1891f384e036522d33d4218f3b431084358bb5713ccfb6cbbd8f438783a82471','231766ad5bdcf5ff0d7bf65b788f8cd99f399b80ea697121fb7d55f06257cfed');
INSERT INTO "event" VALUES(6,'01a22e94-5e25-72c1-8dc4-defc0e897e1d','4708713d-f360-444a-9bd7-9e8cb68803d9','session/5af46f85-f3e4-4557-8468-3906e580be00',3,'request.stored',1,'{"anchors":[],"context_sha256":"d98167dd28f22e330824942ba4d4ce217c2411a0d1141d60b40fe4cb8dc0d232","estimate":{"tokens":10,"version":"estimate/1"},"left_out":[],"limit":{"reserve":4096,"source":"demo","tokens":128000},"line":1,"model":"demo/scripted","params":{"max_tokens":4096},"purpose":"chat","request":"0865b9fe-6146-495a-a366-9492c9bb3baf","scope":1,"segments":[{"checkpoint":null,"first":1,"kind":"turns","last":1,"role":null,"sha256":null,"tokens":10,"what":"turns"}],"template":"chat/1","texts":{}}','ada','tui','2026-03-02T14:00:05.000000Z','01a22e94-5e23-73cd-975b-e617e523a60b',NULL,'ab2eec9e73bbc81bca72cc9ae6c8c694add965cb8a30457a51a01201d6905740','95fcfbfe688d1027a57f82e2d31ea520d3b1b8baf8cb905359e16b34588d8ab5');
INSERT INTO "event" VALUES(7,'01a22e94-5e25-7ce9-814a-ba11ce70afa1','4708713d-f360-444a-9bd7-9e8cb68803d9','session/5af46f85-f3e4-4557-8468-3906e580be00',4,'answer.started',1,'{"line":1,"model":"demo/scripted","owner":{"host":"desk","pid":2127,"started":"1363349"},"question":1,"request":"0865b9fe-6146-495a-a366-9492c9bb3baf","sequence_number":2}','ada','tui','2026-03-02T14:00:06.000000Z','01a22e94-5e23-73cd-975b-e617e523a60b',NULL,'61c48873a1a705bbe6afce8faccf90bcf3dabad91a31f9cf3b299f8ec93b4c7b','f79bb28e1f52b8eb0888ded1da69c2a3fa1e295fa9c0ce98320034edc0e7de78');
INSERT INTO "event" VALUES(8,'01a22e94-5e28-72f9-85a8-f839d135eed2','4708713d-f360-444a-9bd7-9e8cb68803d9','session/5af46f85-f3e4-4557-8468-3906e580be00',5,'answer.ended',1,'{"attempts":1,"cost":{"source":"demo","usd":"0"},"error":null,"finish":"stop","model":"demo/scripted","reasoning":null,"sequence_number":2,"status":"complete","text":"I am not an AI: this is Smriti''s scripted demo model. It thinks nothing up; it reads its context back, so that you can check what a real model would have been told.\n\nYou asked “hello”. With that I was given:\n\n- No checkpoint stands in my context: only this conversation counts.\n- The conversation: 1 user message, 0 assistant messages, 5 characters in all.\n\nNothing is open in the state. When this talk settles something, save a checkpoint, and the next answer starts from it instead of from the whole conversation.","usage":{"cached_input_tokens":null,"input_tokens":1,"output_tokens":128,"reasoning_tokens":null}}','ada','tui','2026-03-02T14:00:07.000000Z','01a22e94-5e27-77fe-888f-f39e7dc418fa',NULL,'3a8265b909cbb06932d9c1edc4101062dba53eda9489d43ed3bc98280f92c240','4953e5649fc4d2fdc1607ff4d7fa3de3a4da02f01a1d2aa94b142d3b4e8773d9');
INSERT INTO "event" VALUES(9,'01a22e94-5e31-7d6b-839f-88afc2936197','4708713d-f360-444a-9bd7-9e8cb68803d9','space/59b1f1bb-e2fc-4939-94f9-a6dafc279931',3,'checkpoint.saved',1,'{"body":{"artifacts":[],"assumptions":[],"author":"ada","created_at":"2026-03-02T14:00:08.000000Z","decisions":[{"evidence":[],"reason":null,"rests_on":[],"retired_by":null,"state":"live","text":"keep it","uid":"d5a6e625-70f4-4f3f-b0b6-6f13415810d5"}],"draft_request":null,"entities":[],"git":null,"objective":"","open_questions":[],"parents":[],"project_root":null,"source":{"first":1,"last":2,"line":1,"session":"5af46f85-f3e4-4557-8468-3906e580be00"},"space":"59b1f1bb-e2fc-4939-94f9-a6dafc279931","summary":"","tasks":[],"title":"first"},"branch":"3ee792ad-35a3-4d15-8978-826d48a99a46","id":"fab3351f8234cf28928a1c33aad86ab133d73e0f70e37d6bb70f614b330d4ebd"}','ada','tui','2026-03-02T14:00:09.000000Z','01a22e94-5e2c-7880-a0cb-f86f1bf3e370',NULL,'677a6e4b107cbb7d1ed4fd6a04cd20ee2b291ba327cd041d8bdbf432501bc052','14ffd9606999f25939f3ff21769f9365f7ecf16ce18b4ce9542d3104a4ae531c');
INSERT INTO "event" VALUES(10,'01a22e94-5e33-71ef-8624-2a993795d1c8','4708713d-f360-444a-9bd7-9e8cb68803d9','session/5af46f85-f3e4-4557-8468-3906e580be00',6,'session.changed',1,'{"title":"two","undoes":null}','ada','tui','2026-03-02T14:00:10.000000Z','01a22e94-5e32-74c7-91e1-2dcb237fba2c',NULL,'ce1daa0cd944ffda299d8a2d0236c2684e95dc4dff9bd5045f32550262159306','40020562a8f852c7bf5e211af1221ed2c7de21b645df4e5ef4334abd717f1121');
INSERT INTO "event" VALUES(11,'01a22e94-5e35-76f8-89b0-f6acfc2d3449','4708713d-f360-444a-9bd7-9e8cb68803d9','space/59b1f1bb-e2fc-4939-94f9-a6dafc279931',4,'space.changed',1,'{"description":null,"name":"beta","project_root":null,"undoes":null}','ada','tui','2026-03-02T14:00:11.000000Z','01a22e94-5e34-7f21-8715-d668b1ec9c69',NULL,'5b0578e80476687cbbde38f77e7246c8e46a75b30dfed753c406e62c93d892ec','d14ab74c124f1edcd91a15cb96c0f0578f4b11bb5f6fc73d4e54d12f1c526a07');
INSERT INTO "event" VALUES(12,'01a22e94-5e3a-76a6-8d4e-a77034f20dda','4708713d-f360-444a-9bd7-9e8cb68803d9','session/5af46f85-f3e4-4557-8468-3906e580be00',7,'line.opened',1,'{"anchor":"fab3351f8234cf28928a1c33aad86ab133d73e0f70e37d6bb70f614b330d4ebd","history_base_seq":2,"line":2,"undoes":null}','ada','tui','2026-03-02T14:00:12.000000Z','01a22e94-5e36-72d0-8d27-88a0b795ff6f',NULL,'5a9e9b16ef279c24382f4226f8f38dfb511dff927e8ab257056c0e0b8348b65b','acfe53d23c7f4a568506ec8c1492ad44d64fee8883cf7fe91ac90c995fab4ddc');
CREATE TABLE line (
	session VARCHAR NOT NULL, 
	line INTEGER NOT NULL, 
	anchor VARCHAR, 
	history_base_seq INTEGER NOT NULL, 
	PRIMARY KEY (session, line)
);
INSERT INTO "line" VALUES('5af46f85-f3e4-4557-8468-3906e580be00',1,NULL,0);
INSERT INTO "line" VALUES('5af46f85-f3e4-4557-8468-3906e580be00',2,'fab3351f8234cf28928a1c33aad86ab133d73e0f70e37d6bb70f614b330d4ebd',2);
CREATE TABLE line_run (
	session VARCHAR NOT NULL, 
	first INTEGER NOT NULL, 
	last INTEGER NOT NULL, 
	line INTEGER NOT NULL, 
	PRIMARY KEY (session, first)
);
INSERT INTO "line_run" VALUES('5af46f85-f3e4-4557-8468-3906e580be00',1,2,1);
CREATE TABLE model_limit (
	model VARCHAR NOT NULL, 
	tokens INTEGER, 
	asked_at VARCHAR NOT NULL, 
	PRIMARY KEY (model)
);
CREATE TABLE note (
	id VARCHAR NOT NULL, 
	checkpoint VARCHAR NOT NULL, 
	space VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	actor VARCHAR NOT NULL, 
	recorded_at VARCHAR NOT NULL, 
	position INTEGER NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE partial (
	session VARCHAR NOT NULL, 
	sequence_number INTEGER NOT NULL, 
	text VARCHAR NOT NULL, 
	reasoning VARCHAR NOT NULL, 
	beat_at VARCHAR NOT NULL, 
	PRIMARY KEY (session, sequence_number)
);
CREATE TABLE request (
	id VARCHAR NOT NULL, 
	stream VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	answer INTEGER, 
	purpose VARCHAR NOT NULL, 
	model VARCHAR NOT NULL, 
	context_sha256 VARCHAR NOT NULL, 
	status VARCHAR, 
	PRIMARY KEY (id)
);
INSERT INTO "request" VALUES('0865b9fe-6146-495a-a366-9492c9bb3baf','session/5af46f85-f3e4-4557-8468-3906e580be00',3,2,'chat','demo/scripted','d98167dd28f22e330824942ba4d4ce217c2411a0d1141d60b40fe4cb8dc0d232',NULL);
CREATE TABLE session (
	id VARCHAR NOT NULL, 
	space VARCHAR, 
	branch VARCHAR, 
	title VARCHAR NOT NULL, 
	current_line INTEGER NOT NULL, 
	last_line INTEGER NOT NULL, 
	last_seq INTEGER NOT NULL, 
	model VARCHAR, 
	fork_checkpoint VARCHAR, 
	fork_session VARCHAR, 
	fork_turn INTEGER, 
	created_at VARCHAR NOT NULL, 
	changed_at VARCHAR NOT NULL, 
	changed_position INTEGER NOT NULL, 
	deleted BOOLEAN NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "session" VALUES('5af46f85-f3e4-4557-8468-3906e580be00','59b1f1bb-e2fc-4939-94f9-a6dafc279931','3ee792ad-35a3-4d15-8978-826d48a99a46','two',2,2,2,'demo/scripted',NULL,NULL,NULL,'2026-03-02T14:00:03.000000Z','2026-03-02T14:00:12.000000Z',12,0);
CREATE TABLE space (
	id VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	description VARCHAR NOT NULL, 
	project_root VARCHAR, 
	created_at VARCHAR NOT NULL, 
	changed_at VARCHAR NOT NULL, 
	changed_position INTEGER NOT NULL, 
	checkpoints INTEGER NOT NULL, 
	sessions INTEGER NOT NULL, 
	deleted BOOLEAN NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "space" VALUES('59b1f1bb-e2fc-4939-94f9-a6dafc279931','beta','a Space of the first version',NULL,'2026-03-02T14:00:01.000000Z','2026-03-02T14:00:12.000000Z',12,1,1,0);
CREATE TABLE stream_head (
	stream VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	chain_sha256 VARCHAR NOT NULL, 
	position INTEGER NOT NULL, 
	recorded_at VARCHAR NOT NULL, 
	PRIMARY KEY (stream)
);
INSERT INTO "stream_head" VALUES('store',1,'b2dad632a88693bc88325a50e39bdcfde4eeb3710eb50410f12cbe6c86e9e912',1,'2026-03-02T14:00:00.000000Z');
INSERT INTO "stream_head" VALUES('space/59b1f1bb-e2fc-4939-94f9-a6dafc279931',4,'d14ab74c124f1edcd91a15cb96c0f0578f4b11bb5f6fc73d4e54d12f1c526a07',11,'2026-03-02T14:00:11.000000Z');
INSERT INTO "stream_head" VALUES('session/5af46f85-f3e4-4557-8468-3906e580be00',7,'acfe53d23c7f4a568506ec8c1492ad44d64fee8883cf7fe91ac90c995fab4ddc',12,'2026-03-02T14:00:12.000000Z');
CREATE TABLE stream_text (
	stream VARCHAR NOT NULL, 
	sha256 VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	PRIMARY KEY (stream, sha256)
);
CREATE TABLE turn (
	session VARCHAR NOT NULL, 
	sequence_number INTEGER NOT NULL, 
	line INTEGER NOT NULL, 
	role VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	content VARCHAR NOT NULL, 
	status VARCHAR NOT NULL, 
	recorded_at VARCHAR NOT NULL, 
	ended_at VARCHAR, 
	question INTEGER, 
	chosen INTEGER, 
	request VARCHAR, 
	context_sha256 VARCHAR, 
	model VARCHAR, 
	reasoning VARCHAR, 
	finish VARCHAR, 
	usage VARCHAR, 
	cost VARCHAR, 
	attempts INTEGER NOT NULL, 
	error VARCHAR, 
	owner VARCHAR, 
	copied_from VARCHAR, 
	PRIMARY KEY (session, sequence_number)
);
INSERT INTO "turn" VALUES('5af46f85-f3e4-4557-8468-3906e580be00',1,1,'user','hello','hello','complete','2026-03-02T14:00:04.000000Z',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO "turn" VALUES('5af46f85-f3e4-4557-8468-3906e580be00',2,1,'assistant','I am not an AI: this is Smriti''s scripted demo model. It thinks nothing up; it reads its context back, so that you can check what a real model would have been told.

You asked “hello”. With that I was given:

- No checkpoint stands in my context: only this conversation counts.
- The conversation: 1 user message, 0 assistant messages, 5 characters in all.

Nothing is open in the state. When this talk settles something, save a checkpoint, and the next answer starts from it instead of from the whole conversation.','I am not an AI: this is Smriti''s scripted demo model. It thinks nothing up; it reads its context back, so that you can check what a real model would have been told.

You asked “hello”. With that I was given:

- No checkpoint stands in my context: only this conversation counts.
- The conversation: 1 user message, 0 assistant messages, 5 characters in all.

Nothing is open in the state. When this talk settles something, save a checkpoint, and the next answer starts from it instead of from the whole conversation.','complete','2026-03-02T14:00:06.000000Z','2026-03-02T14:00:07.000000Z',1,NULL,'0865b9fe-6146-495a-a366-9492c9bb3baf','d98167dd28f22e330824942ba4d4ce217c2411a0d1141d60b40fe4cb8dc0d232','demo/scripted',NULL,'stop','{"cached_input_tokens":null,"input_tokens":1,"output_tokens":128,"reasoning_tokens":null}','{"source":"demo","usd":"0"}',1,NULL,NULL,NULL);
CREATE TABLE unsent (
	thing VARCHAR NOT NULL, 
	process VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	changed_at VARCHAR NOT NULL, 
	PRIMARY KEY (thing, process)
);
CREATE INDEX checkpoint_of_branch ON checkpoint (branch, position);
CREATE INDEX checkpoint_of_line ON checkpoint (source_session, source_line, position);
CREATE INDEX checkpoint_of_space ON checkpoint (space, position);
CREATE INDEX ix_checkpoint_parent_parent ON checkpoint_parent (parent);
CREATE INDEX ix_line_anchor ON line (anchor);
CREATE INDEX ix_note_checkpoint ON note (checkpoint);
CREATE INDEX ix_session_branch ON session (branch);
CREATE INDEX ix_session_fork_checkpoint ON session (fork_checkpoint);
CREATE INDEX session_of_space ON session (space, changed_position);
CREATE INDEX ix_space_changed_position ON space (changed_position);
CREATE INDEX ix_space_name ON space (name);
CREATE INDEX turn_of_line ON turn (session, line, sequence_number);
CREATE INDEX turn_running ON turn (session, status) WHERE status = 'running';
CREATE TRIGGER event_never_update BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events never change'); END;
CREATE TRIGGER event_never_delete BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events never change'); END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('event',12);
COMMIT;
